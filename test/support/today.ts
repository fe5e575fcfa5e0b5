/** Number of the day: rounds of killed processes take turns by it. */
export const dayOf = (now = Date.now()): number => Math.floor(now / 86_400_000)
