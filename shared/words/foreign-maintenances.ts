import type { ForeignMaintenance } from '../domain/foreign-maintenance.ts'
import { asSentence, counted } from '../grammar/counts.ts'

/** `The NodeMaintenance fix-disk of medik8s takes cmp-01 out of service: broken disk.`. */
export function foreignMaintenanceWords(reported: ForeignMaintenance): string {
  const one = wordsOfOne(reported)
  return reported.more === undefined
    ? one
    : `${one} ${counted(reported.more, 'more object asks', 'more objects ask')} for the same.`
}

function wordsOfOne({ node, code, object, reason }: ForeignMaintenance): string {
  const because = reason === '' ? '.' : `: ${asSentence(reason)}`
  switch (code) {
    case 'NodeMaintenance':
      return `The NodeMaintenance ${object} of medik8s takes ${node} out of service${because}`
    case 'MachineBeingDeleted':
      return `Cluster API deletes the Machine ${object} of ${node}: it drains the node and removes the machine.`
    case 'MachineMarkedForDeletion':
      return `The Machine ${object} of ${node} is marked: it is the next Machine that Cluster API deletes.`
    case 'MachineMarkedForRemediation':
      return `The Machine ${object} of ${node} is marked for remediation by Cluster API${because}`
    case 'HostRebootAsked':
      return `A reboot of the BareMetalHost ${object} of ${node} is requested from Metal3, which may keep it off.`
    case 'HostToBeOff':
      return `Metal3 keeps the BareMetalHost ${object} of ${node} off.`
  }
}
