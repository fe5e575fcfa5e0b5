/** Ids of the buttons that stand under messages of ours. */
export const SWITCH_OFF = 'files.off'
