import { statSync } from 'node:fs'
import { join } from 'node:path'
import { cloudsFilePlaces } from './clouds-files.ts'
import type { Surroundings } from './surroundings.ts'

/** The kubeconfigs that kubectl could use here and that exist: those listed in KUBECONFIG, and ~/.kube/config. */
export function suggestKubeconfigs(usual: readonly string[], { home }: Surroundings): readonly string[] {
  return existing([...usual, join(home, '.kube', 'config')])
}

/** The clouds.yaml files that exist where the openstack client looks, in its order; it uses the first. */
export function suggestCloudsFiles(surroundings: Surroundings): readonly string[] {
  return existing(cloudsFilePlaces(surroundings))
}

function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter(isFile)
}

/** What lies behind a folder that this user may not enter is no suggestion. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
