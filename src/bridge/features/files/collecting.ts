import { switchCollecting } from '#bridge/channels/collecting.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Feature, JobServices } from '../feature.ts'

/** Switches on or off that dropped files are added to the channel's collection. */
export function createCollecting(services: Pick<JobServices, 'channels' | 'store'>): Feature {
  const set = (collecting: boolean) => async (ctx: JobContext) => {
    await switchCollecting(services, ctx, collecting)
    await ctx.reply(collecting ? ctx.texts.collectingOn : ctx.texts.collectingOff)
  }
  return {
    commands: [
      { name: 'files-on', pattern: /^files on$/i, run: set(true) },
      { name: 'files-off', pattern: /^files off$/i, run: set(false) },
    ],
    buttons: [{ id: ACTION.switchOff, run: set(false) }],
  }
}
