import { ok } from '../../shared/domain/result.ts'
import { changeWindow, createWindow, endWindow, noteOnWindow } from '../windows/change-window.ts'
import { planWindow } from '../windows/window-plan.ts'
import { createWindowReader } from '../windows/window-reader.ts'
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
  const { agreedStarts, runs, emit } = services
  const windowReader = createWindowReader(services)
  const writing = {
    ...services,
    onWritten: (window: { readonly id: string; readonly cluster: string }) => emit('window.changed', window),
  }
  const by = runs.driver.operator
  return {
    'window.list': async ({ cluster, limit }) => {
      // Thousands of runs are read in pieces, so that other requests are answered meanwhile; the list then finds them cached.
      const past = await runs.history({ cluster })
      if (!past.ok) return past
      const listed = windowReader.list(cluster)
      return listed.ok ? ok(listed.value.slice(0, limit)) : listed
    },
    'window.show': async ({ id }) => windowReader.find(id),
    'window.create': ({ draft }) => createWindow(draft, writing),
    'window.change': change => changeWindow(change, writing),
    'window.note': async note => noteOnWindow(note, writing),
    'window.close': async ({ id, summary }) => endWindow(id, { kind: 'closed', by, summary }, writing),
    'window.cancel': async ({ id, why }) => endWindow(id, { kind: 'cancelled', by, why }, writing),
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
    'window.attend-start': ({ id }) => agreedStarts.attend(id),
  }
}
