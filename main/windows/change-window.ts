import type { ListedWindow, RequestInput, WrittenWindow } from '../../shared/contract/index.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceWindow, WindowDraft, WindowEventBody } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { createWindowReader } from './window-reader.ts'
import { warningsOf, whyEnded, whyNotDrafted, whyOtherCluster, whyRunOpen } from './window-rules.ts'
import type { WindowServices } from './window-services.ts'

type Services = Pick<WindowServices, 'clock' | 'clusters' | 'newId' | 'runs' | 'windows' | 'worlds'> & {
  readonly onWritten: (window: Pick<MaintenanceWindow, 'id' | 'cluster'>) => void
}

/** A change to journal. `revision`: the one that the operator saw; null if the change is right for any. */
interface Change {
  readonly body: WindowEventBody
  readonly revision: number | null
}

/** Announces a window. Warnings say what may hinder its work. */
export async function createWindow(draft: WindowDraft, services: Services): Promise<Result<WrittenWindow>> {
  const refused = whyNotDrafted(draft, services)
  if (refused !== null) return failed(refused)
  const { operator: by, machine } = services.runs.driver
  const window = { id: services.newId(), cluster: draft.cluster }
  const change = { body: { kind: 'created', draft, by, machine }, revision: null } as const
  return warned(write(window, change, services), services)
}

/** Changes a window. A warning says if its agreed start is lost by that. */
export async function changeWindow(
  { id, revision, draft }: RequestInput<'window.change'>,
  services: Services,
): Promise<Result<WrittenWindow>> {
  let wasAgreed = false
  const changed = writeOpen(
    id,
    'change',
    ({ window }) => {
      const refused = whyNotDrafted(draft, services) ?? whyOtherCluster(window, draft)
      wasAgreed = window.start?.state.kind === 'waits'
      return refused === null
        ? ok({ body: { kind: 'changed', draft, by: services.runs.driver.operator }, revision })
        : failed(refused)
    },
    services,
  )
  const written = await warned(changed, services)
  if (!written.ok || !wasAgreed || written.value.window.start !== null) return written
  return ok(withWarnings(written.value, [because('WindowStartLost'), ...(written.value.findings ?? [])]))
}

/** Adds a note, also to a closed window: later findings belong to its report. */
export function noteOnWindow(
  { id, note, text }: RequestInput<'window.note'>,
  services: Services,
): Result<ListedWindow> {
  const found = createWindowReader(services).find(id)
  if (!found.ok) return found
  const body = { kind: 'noted', note, text, by: services.runs.driver.operator } as const
  return write(found.value.window, { body, revision: null }, services)
}

/** Closes or cancels a window, unless a run of it is open. */
export function endWindow(
  id: string,
  body: Extract<WindowEventBody, { kind: 'closed' | 'cancelled' }>,
  services: Services,
): Result<ListedWindow> {
  const doing = body.kind === 'closed' ? 'close' : 'cancel'
  const bodyOf = (found: ListedWindow): Result<Change> => {
    const working = whyRunOpen(found, doing)
    return working === null ? ok({ body, revision: null }) : failed(working)
  }
  return writeOpen(id, doing, bodyOf, services)
}

function writeOpen(
  id: string,
  doing: Parameters<typeof whyEnded>[1],
  changeOf: (found: ListedWindow) => Result<Change>,
  services: Services,
): Result<ListedWindow> {
  const found = createWindowReader(services).find(id)
  if (!found.ok) return found
  const over = whyEnded(found.value.window, doing)
  if (over !== null) return failed(over)
  const change = changeOf(found.value)
  return change.ok ? write(found.value.window, change.value, services) : change
}

/** Journals a change, notifies the listeners, and returns the window. */
function write(
  { id, cluster }: Pick<MaintenanceWindow, 'id' | 'cluster'>,
  { body, revision }: Change,
  services: Services,
): Result<ListedWindow> {
  const recorded = services.windows.record({ id, cluster }, body, revision)
  if (!recorded.ok) return recorded
  services.onWritten({ id, cluster })
  return createWindowReader(services).find(id)
}

async function warned(written: Result<ListedWindow>, services: Services): Promise<Result<WrittenWindow>> {
  return written.ok ? ok(withWarnings(written.value, await warningsOf(written.value.window, services))) : written
}

function withWarnings(written: ListedWindow, findings: readonly Finding[]): WrittenWindow {
  return { ...written, warnings: findings.map(({ message }) => message), findings: [...findings] }
}
