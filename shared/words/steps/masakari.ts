import { counted } from '../../grammar/counts.ts'
import { type Cause, type FaultText, nodeIn, type OfHost, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

/** A host in Masakari, by the names that its commands take. */
type InSegment = OfHost & { readonly segment: string }

/** `recoveries`: how many failures of the host Masakari still works on. */
type Recoveries = OfHost & { readonly recoveries: number }

function update({ segment, host }: InSegment, onMaintenance: boolean): string {
  return `\`openstack segment host update --on_maintenance ${onMaintenance ? 'True' : 'False'} ${segment} ${host}\``
}

/** What the steps about Masakari are. */
export const MASAKARI_STEPS = {
  'set-masakari-maintenance': {
    title: input => `Tell Masakari that ${nodeIn(input)} is under maintenance`,
    why: 'Masakari takes a node that is down for failed, and restarts its instances elsewhere.',
    undo: 'Clear on_maintenance in Masakari: the leave procedure does it.',
  },
  'end-masakari-maintenance': {
    title: input => `Tell Masakari that the maintenance of ${nodeIn(input)} ended`,
    why: 'Masakari restarts no instance of a host elsewhere while on_maintenance is set.',
    undo: 'Set on_maintenance in Masakari again.',
  },
  'masakari-recovers': {
    title: input => `Masakari does not recover ${nodeIn(input)} too`,
    why: 'Masakari restarts the instances of a failed host elsewhere as well.',
  },
} satisfies StepTexts

/** What the steps about Masakari find. */
export const MASAKARI_FINDINGS = {
  MasakariWatches: ({ host, segment }: InSegment) => `Masakari watches ${host} in segment ${segment}.`,
  MasakariHasNoHost: ({ node }: OfNode) => `No failover segment of Masakari has ${node}.`,
  MasakariNotAsked: ({ node }: OfNode) => `Masakari was not asked about ${node}.`,
  MasakariMayEvacuate: ({ node, cause }: OfNode & Cause) =>
    `Masakari may take a reboot of ${node} for a failure and restart its instances elsewhere: on_maintenance cannot be read. ${cause}`,
  OnMaintenanceNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Whether on_maintenance of ${node} is set in Masakari cannot be read. ${cause}`,
  OnMaintenanceSet: ({ host }: OfHost) => `on_maintenance of ${host} is set in Masakari.`,
  OnMaintenanceOfSomebody: ({ host }: OfHost) => `Somebody else set on_maintenance of ${host} in Masakari.`,
  OnMaintenanceStays: (of: InSegment) =>
    `on_maintenance of ${of.host} stays set when the node comes back. Clear it with ${update(of, false)} when its reason is gone.`,
  OnMaintenanceToClear: ({ node }: OfNode) => `Lockkeeper told Masakari that ${node} is under maintenance.`,
  OnMaintenanceCleared: ({ host }: OfHost) => `on_maintenance of ${host} is cleared in Masakari.`,
  MasakariNoteRemoved: ({ node }: OfNode) => `The note that Masakari knows of the maintenance of ${node} is removed.`,
  MasakariBusy: ({ host, segment }: InSegment) =>
    `Masakari works on a failure in segment ${segment}, and changes ${host} only afterwards.`,
  MasakariRecoversNothing: ({ host }: OfHost) => `Masakari works on no failure of ${host}.`,
  MasakariMayRecover: ({ node, cause }: OfNode & Cause) =>
    `Whether Masakari restarts the instances of ${node} elsewhere at the same time cannot be read. ${cause}`,
  MasakariToMind: ({ host }: OfHost) => `Masakari works on a failure of ${host}.`,
  MasakariRecoversToo: ({ host, recoveries }: Recoveries) =>
    `Masakari works on ${counted(recoveries, 'failure')} of ${host}: it may restart the same instances elsewhere at the same time. Look with \`openstack notification list\` and wait until it is done.`,
} satisfies TextsOf<string>

/** What is in the way of the steps about Masakari. */
export const MASAKARI_FAULTS = {
  MasakariRefused: ({ cause }: Cause) => ({
    message: `Masakari did not change on_maintenance. ${cause}`,
    remedy: 'Skip the step to continue without it: Masakari may take a reboot for a failure.',
  }),
  MasakariNotEnded: ({ node, cause }: OfNode & Cause) => ({
    message: `Masakari did not clear on_maintenance, and restarts no instance of ${node} elsewhere until it is. ${cause}`,
    remedy: 'Skip the step and clear it by hand.',
  }),
  MasakariStillBusy: (of: InSegment) => ({
    message: `Masakari still works on a failure in segment ${of.segment}, and does not change ${of.host}.`,
    remedy: 'Look with `openstack notification list`. Skip the step to continue without it.',
  }),
  OnMaintenanceNotSet: (of: InSegment) => ({
    message: `on_maintenance of ${of.host} is not set in Masakari: it takes a reboot for a failure.`,
    remedy: `Resume the run to set it, or use ${update(of, true)}.`,
  }),
  OnMaintenanceStillSet: (of: InSegment) => ({
    message: `on_maintenance of ${of.host} is still set in Masakari.`,
    remedy: `Resume the run, or use ${update(of, false)}.`,
  }),
  MasakariStillNoted: ({ node }: OfNode) => ({
    message: `A note on ${node} still says that Masakari knows of its maintenance.`,
    remedy: 'Resume the run.',
  }),
  ComputeNotUpForMasakari: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down: without on_maintenance Masakari would take it for failed.`,
    remedy: 'Start nova-compute, then resume the run.',
  }),
} satisfies TextsOf<FaultText>

/** What the steps about Masakari read. */
export const MASAKARI_READS = {
  MasakariHost: ({ node }: OfNode) => `Masakari's record of ${node}`,
  MasakariNote: ({ node }: OfNode) => `The note about Masakari on ${node}`,
} satisfies TextsOf<string>
