import { counted } from '../../grammar/counts.ts'
import { type Cause, type FaultText, nodeIn, type OfHost, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

/** A host in Masakari, by the names that Masakari's commands take. */
type InSegment = OfHost & { readonly segment: string }

/** `recoveries`: how many failures of the host Masakari still works on. */
type Recoveries = OfHost & { readonly recoveries: number }

function update({ segment, host }: InSegment, onMaintenance: boolean): string {
  return `\`openstack segment host update --on_maintenance ${onMaintenance ? 'True' : 'False'} ${segment} ${host}\``
}

export const MASAKARI_STEPS = {
  'set-masakari-maintenance': {
    title: input => `Tell Masakari that ${nodeIn(input)} is under maintenance`,
    why: 'Masakari treats a node that is down as failed, and restarts its instances elsewhere.',
    undo: 'Clear on_maintenance in Masakari: bringing the node back does that.',
  },
  'end-masakari-maintenance': {
    title: input => `Tell Masakari that the maintenance of ${nodeIn(input)} ended`,
    why: 'Masakari restarts no instance of a host elsewhere while on_maintenance is set.',
    undo: 'Set on_maintenance in Masakari again.',
  },
  'masakari-recovers': {
    title: input => `Masakari does not recover ${nodeIn(input)} too`,
    why: 'Masakari also restarts the instances of a failed host elsewhere.',
  },
} satisfies StepTexts

export const MASAKARI_FINDINGS = {
  MasakariWatches: ({ host, segment }: InSegment) => `Masakari watches ${host} in segment ${segment}.`,
  MasakariHasNoHost: ({ node }: OfNode) => `No failover segment of Masakari has ${node}.`,
  MasakariNotAsked: ({ node }: OfNode) => `Lockkeeper did not ask Masakari about ${node}.`,
  MasakariMayEvacuate: ({ node, cause }: OfNode & Cause) =>
    `Masakari may take a reboot of ${node} for a failure and restart its instances elsewhere: Lockkeeper cannot read on_maintenance. ${cause}`,
  OnMaintenanceNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Lockkeeper cannot read whether on_maintenance of ${node} is set in Masakari. ${cause}`,
  OnMaintenanceSet: ({ host }: OfHost) => `on_maintenance of ${host} is set in Masakari.`,
  OnMaintenanceOfSomebody: ({ host }: OfHost) => `Lockkeeper did not set on_maintenance of ${host} in Masakari.`,
  OnMaintenanceStays: (of: InSegment) =>
    `on_maintenance of ${of.host} stays set when the node comes back. Clear it with ${update(of, false)} when its reason no longer applies.`,
  OnMaintenanceToClear: ({ node }: OfNode) => `Lockkeeper set on_maintenance of ${node} in Masakari.`,
  OnMaintenanceCleared: ({ host }: OfHost) => `on_maintenance of ${host} is cleared in Masakari.`,
  MasakariNoteRemoved: ({ node }: OfNode) => `Lockkeeper removed its note on ${node} about on_maintenance in Masakari.`,
  MasakariBusy: ({ host, segment }: InSegment) =>
    `Masakari is handling a failure in segment ${segment}, and changes ${host} only afterwards.`,
  MasakariRecoversNothing: ({ host }: OfHost) => `Masakari is handling no failure of ${host}.`,
  MasakariMayRecover: ({ node, cause }: OfNode & Cause) =>
    `Lockkeeper cannot read whether Masakari restarts the instances of ${node} elsewhere at the same time. ${cause}`,
  MasakariToMind: ({ host }: OfHost) => `Masakari is handling a failure of ${host}.`,
  MasakariRecoversToo: ({ host, recoveries }: Recoveries) =>
    `Masakari is handling ${counted(recoveries, 'failure')} of ${host} and may restart the same instances elsewhere. Check with \`openstack notification list\` and wait until it has finished.`,
} satisfies TextsOf<string>

export const MASAKARI_FAULTS = {
  MasakariRefused: ({ cause }: Cause) => ({
    message: `Masakari did not change on_maintenance. ${cause}`,
    remedy: 'Skip the step to continue without it: Masakari may then take a reboot for a failure.',
  }),
  MasakariNotEnded: ({ node, cause }: OfNode & Cause) => ({
    message: `Masakari did not clear on_maintenance. Until then it restarts no instance of ${node} elsewhere. ${cause}`,
    remedy: 'Skip the step and clear it manually.',
  }),
  MasakariStillBusy: (of: InSegment) => ({
    message: `Masakari is still handling a failure in segment ${of.segment}, and does not change ${of.host}.`,
    remedy: 'Check with `openstack notification list`. Skip the step to continue without it.',
  }),
  OnMaintenanceNotSet: (of: InSegment) => ({
    message: `on_maintenance of ${of.host} is not set in Masakari, so Masakari would take a reboot for a failure.`,
    remedy: `Resume the run to set it, or use ${update(of, true)}.`,
  }),
  OnMaintenanceStillSet: (of: InSegment) => ({
    message: `on_maintenance of ${of.host} is still set in Masakari.`,
    remedy: `Resume the run, or use ${update(of, false)}.`,
  }),
  MasakariStillNoted: ({ node }: OfNode) => ({
    message: `${node} still has the note about on_maintenance in Masakari.`,
    remedy: 'Resume the run.',
  }),
  ComputeNotUpForMasakari: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down: without on_maintenance Masakari would take the host for failed.`,
    remedy: 'Start nova-compute, then resume the run.',
  }),
} satisfies TextsOf<FaultText>

export const MASAKARI_READS = {
  MasakariHost: ({ node }: OfNode) => `Masakari's record of ${node}`,
  MasakariNote: ({ node }: OfNode) => `The note about Masakari on ${node}`,
} satisfies TextsOf<string>
