/** Who we are: from `auth.test`. */
export interface Identity {
  readonly team: string
  readonly userId: string
  readonly botId: string
}
