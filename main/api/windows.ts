import type { ListedWindow, WrittenWindow } from '../../shared/contract/index.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { WindowEventBody } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { planWindow } from '../windows/window-plan.ts'
import { createWindowReader } from '../windows/window-reader.ts'
import { warningsOf, whyMoved, whyNotDrafted, whyOver, whyWorking } from '../windows/window-rules.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function windowHandlers(
  services: Pick<
    ApiServices,
    'agreedStarts' | 'clock' | 'clusters' | 'emit' | 'newId' | 'plans' | 'runs' | 'windows' | 'worlds'
  >,
): Pick<
  Handlers,
  | 'window.list'
  | 'window.show'
  | 'window.create'
  | 'window.change'
  | 'window.note'
  | 'window.close'
  | 'window.cancel'
  | 'window.plan'
  | 'window.agree-start'
  | 'window.take-back-start'
  | 'window.attend-start'
> {
  const { agreedStarts, windows, runs, emit } = services
  const windowReader = createWindowReader(services)
  const by = runs.driver.operator

  /** Journals a change, notifies the listeners, and returns the window. */
  const write = (
    window: { readonly id: string; readonly cluster: string },
    body: WindowEventBody,
    revision: number | null,
  ): Result<ListedWindow> => {
    const recorded = windows.record(window, body, revision)
    if (!recorded.ok) return recorded
    emit('window.changed', { id: window.id, cluster: window.cluster })
    return windowReader.find(window.id)
  }

  /** Like {@link write}, for a window that is not closed or cancelled. */
  const writeOpen = (
    id: string,
    doing: Parameters<typeof whyOver>[1],
    bodyOf: (found: ListedWindow) => Result<{ readonly body: WindowEventBody; readonly revision: number | null }>,
  ): Result<ListedWindow> => {
    const found = windowReader.find(id)
    if (!found.ok) return found
    const over = whyOver(found.value.window, doing)
    if (over !== null) return failed(over)
    const body = bodyOf(found.value)
    return body.ok ? write(found.value.window, body.value.body, body.value.revision) : body
  }

  const warned = async (written: Result<ListedWindow>): Promise<Result<WrittenWindow>> =>
    written.ok ? ok(withWarnings(written.value, await warningsOf(written.value.window, services))) : written

  return {
    'window.list': async ({ cluster, limit }) => {
      // Thousands of runs are read in pieces, so that other requests are answered meanwhile; the list then finds them cached.
      const past = await runs.history({ cluster })
      if (!past.ok) return past
      const listed = windowReader.list(cluster)
      return listed.ok ? ok(listed.value.slice(0, limit)) : listed
    },
    'window.show': async ({ id }) => windowReader.find(id),
    'window.create': async ({ draft }) => {
      const refused = whyNotDrafted(draft, services)
      if (refused !== null) return failed(refused)
      const window = { id: services.newId(), cluster: draft.cluster }
      return warned(write(window, { kind: 'created', draft, by, machine: runs.driver.machine }, null))
    },
    'window.change': async ({ id, revision, draft }) => {
      let wasAgreed = false
      const written = await warned(
        writeOpen(id, 'change', ({ window }) => {
          const refused = whyNotDrafted(draft, services) ?? whyMoved(window, draft)
          wasAgreed = window.start?.state.kind === 'waits'
          return refused === null ? ok({ body: { kind: 'changed', draft, by }, revision }) : failed(refused)
        }),
      )
      if (!written.ok || !wasAgreed || written.value.window.start !== null) return written
      return ok(withWarnings(written.value, [because('WindowStartLost'), ...(written.value.findings ?? [])]))
    },
    // Also for a closed window: later findings belong to its report.
    'window.note': async ({ id, note, text }) => {
      const found = windowReader.find(id)
      return found.ok ? write(found.value.window, { kind: 'noted', note, text, by }, null) : found
    },
    'window.close': async ({ id, summary }) =>
      writeOpen(id, 'close', found => {
        const working = whyWorking(found, 'close')
        return working === null ? ok({ body: { kind: 'closed', by, summary }, revision: null }) : failed(working)
      }),
    'window.cancel': async ({ id, why }) =>
      writeOpen(id, 'cancel', found => {
        const working = whyWorking(found, 'cancel')
        return working === null ? ok({ body: { kind: 'cancelled', by, why }, revision: null }) : failed(working)
      }),
    'window.plan': async ({ id, choices }) => {
      const found = windowReader.find(id)
      if (!found.ok) return found
      const planned = await planWindow(found.value.window, choices, services)
      if (planned.ok) agreedStarts.shown(found.value.window, planned.value)
      return planned
    },
    'window.agree-start': async ({ id, planId, typedCluster, lateByMinutes }) =>
      agreedStarts.agree({ id, planId, typedCluster, lateByMinutes }),
    'window.take-back-start': async ({ id, why }) => agreedStarts.takeBack(id, why),
    'window.attend-start': async ({ id }) => agreedStarts.attend(id),
  }
}

function withWarnings(written: ListedWindow, findings: readonly Finding[]): WrittenWindow {
  return { ...written, warnings: findings.map(({ message }) => message), findings: [...findings] }
}
