/** Loaded before every test file: refuses any socket that leaves the loopback range, so no test can reach a live service. */
import net from 'node:net'

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  // node normalises its arguments to [options, callback] before it calls connect again.
  const first = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (typeof first === 'object' && first !== null && 'host' in first) {
    const host = (first as { host?: unknown }).host
    if (typeof host === 'string' && !isLoopback(host)) {
      throw new Error(`The tests may not reach ${host}: only loopback is allowed.`)
    }
  }
  return Reflect.apply(connect, this, args) as net.Socket
} as typeof connect
