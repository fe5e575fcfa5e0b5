/** Loaded before every test file: refuses any socket that leaves the loopback range, so no test can reach a live service. */
import net from 'node:net'

type Connect = (this: net.Socket, ...args: readonly unknown[]) => net.Socket

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** From `connect(options)`, `connect(port, host)` and the array of both that node makes of them before it calls again. */
function hostOf(args: readonly unknown[]): unknown {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  if (typeof first === 'object' && first !== null) return 'host' in first ? first.host : undefined
  return second
}

const prototype = net.Socket.prototype as { connect: Connect }
const { connect } = prototype
prototype.connect = function (...args) {
  const host = hostOf(args)
  if (typeof host === 'string' && !isLoopback(host)) {
    throw new Error(`The tests may not reach ${host}: only loopback is allowed.`)
  }
  return Reflect.apply(connect, this, args)
}
