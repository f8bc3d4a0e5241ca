import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNNER_DEFINITIONS } from '../main/wings/runner/manifests/runner-definitions.ts'
import { manifestsText } from '../main/wings/runner/manifests/runner-manifests.ts'
import { put } from './stage.ts'

/** Puts the Helm chart of the runner into a folder: its templates, with the version of the program and the definitions, which are made of the schemas. */
export function stageChart(folder: string, version: string): void {
  cpSync(join(import.meta.dirname, 'helm'), folder, { recursive: true })
  const about = join(folder, 'Chart.yaml')
  put(about, `${readFileSync(about, 'utf8')}version: ${version}\nappVersion: "${version}"\n`)
  for (const definition of RUNNER_DEFINITIONS) {
    const [plural] = definition.metadata.name.split('.')
    put(join(folder, 'crds', `${plural}.yaml`), manifestsText([definition]))
  }
}
