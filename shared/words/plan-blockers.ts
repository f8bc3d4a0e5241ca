import type { Blocker } from '../domain/step-answers.ts'

/** What blocks an instance, below its name. Other blockers read as they are. */
const BELOW_ITS_NAME: Readonly<Record<string, string>> = {
  OwnerMustAct: 'Its owner has to move or stop it first.',
  InstanceInError: 'It is in ERROR, so Nova cannot move it.',
  InstanceErrorButRunning: 'It is in ERROR but not off.',
  InstanceMigrating: 'It is migrating now.',
  InstanceBusy: 'Nova is busy with it.',
  InstanceResizeUnconfirmed: 'Its resize is not confirmed yet.',
  InstanceUnknown: 'Nova does not show its state.',
  InstanceBuilding: 'Nova is still building it.',
}

/** One sentence about a blocker below the name of its instance. */
export function blockerBelowName(
  { code, message }: Pick<Blocker, 'code' | 'message'>,
  name: string,
  id: string,
): string {
  return BELOW_ITS_NAME[code] ?? message.replace(`Instance ${name} (${id})`, 'It')
}
