import type { OwnersList } from '../../../../shared/domain/batches.ts'
import type { OwnerMessage } from '../../../../shared/domain/mail.ts'
import { type MaintenanceWindow, noticesOf, type WindowEvent } from '../../../../shared/domain/window.ts'
import { subjectToOwners } from '../../../../shared/words/owner-messages.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'

type AddressesOf = (project: { readonly id: string | null; readonly name: string | null }) => {
  readonly to: readonly string[]
  readonly why: Finding
}

/** The messages of a window: text, addresses and earlier messages for each project. */
export function ownerMessages(
  window: MaintenanceWindow,
  owners: OwnersList,
  addresses: AddressesOf,
  events: readonly WindowEvent[],
): readonly OwnerMessage[] {
  const sentBefore = noticesOf(events)
  return owners.projects.map(({ projectId, projectName, instances, message }) => {
    const { to, why } = addresses({ id: projectId, name: projectName })
    return {
      projectId,
      projectName,
      instances: instances.length,
      to: [...to],
      why: why.message,
      code: why.code,
      values: why.values,
      subject: subjectToOwners(window),
      text: message,
      before: sentBefore.flatMap(({ at, by, outcome, to: whom, projectId: of }) =>
        of === projectId && outcome !== 'failed' ? [{ at, by, outcome, to: [...whom] }] : [],
      ),
    }
  })
}
