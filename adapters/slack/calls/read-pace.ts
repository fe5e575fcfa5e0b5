/** How fast Slack lets this app read messages in one workspace. */
export interface ReadPace {
  /** Commercial apps outside the Marketplace get 15 messages a page, and one page a minute of channels and of threads. */
  isSlow: boolean
}

/** A page of a thread may have its first message in addition. */
const SLOW_PAGES = [15, 16]

/** Notes a page that was cut to 15 messages, although more were asked for and there are more; or a longer one. */
export function notePage(pace: ReadPace, messages: number, cursor: string | undefined): void {
  if (SLOW_PAGES.includes(messages)) pace.isSlow ||= cursor !== undefined && cursor !== ''
  else if (messages > Math.max(...SLOW_PAGES)) pace.isSlow = false
}
