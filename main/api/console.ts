import type { ConsoleDescription } from '../../shared/contract/index.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { forgetDroppedFiles, keepDroppedFile } from '../clusters/dropped-files.ts'
import type { Face } from './face.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type ConsoleHandlers = Pick<
  Handlers,
  'console.describe' | 'preferences.show' | 'preferences.change' | 'file.pick' | 'file.suggest' | 'file.keep'
>

export function consoleHandlers(
  services: Pick<
    ApiServices,
    'clock' | 'clusters' | 'emit' | 'face' | 'installation' | 'preferences' | 'registryFolder' | 'runs'
  >,
): ConsoleHandlers {
  const { face, preferences, clusters, emit } = services
  return {
    'console.describe': async () =>
      ok({
        ...services.installation,
        face: face.kind,
        operator: services.runs.driver.operator,
        machine: services.runs.driver.machine,
        pid: services.runs.driver.pid,
        driverId: services.runs.driver.id,
        picksFiles: face.pickFiles !== null,
        secrets: protectionOf(face),
      }),
    'preferences.show': async () => ok(preferences.show()),
    'preferences.change': async change => {
      const changed = preferences.change(change)
      if (changed.ok) emit('preferences.changed', changed.value)
      return changed
    },
    'file.pick': async ({ kind }) => {
      if (face.pickFiles === null) {
        return failed(refusal('bad-input', because('NoFileDialogs')))
      }
      const paths = await face.pickFiles(kind)
      return ok({ paths: paths === null ? null : [...paths] })
    },
    'file.suggest': async ({ kind }) => ok({ paths: [...(await clusters.suggestFiles(kind))] }),
    'file.keep': async ({ name, content }) => {
      const known = clusters.list()
      if (!known.ok) return known
      forgetDroppedFiles(services.registryFolder, known.value, services.clock.now())
      const kept = keepDroppedFile(services.registryFolder, name, content)
      return kept.ok ? ok({ path: kept.value }) : kept
    },
  }
}

function protectionOf({ secrets }: Face): ConsoleDescription['secrets'] {
  return secrets === null
    ? { kind: 'file', words: because('TokensInFiles').message }
    : { kind: 'keychain', words: because('TokensInKeychain', { keychain: secrets.words }).message }
}
