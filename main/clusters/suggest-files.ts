import { join } from 'node:path'
import { kindAt } from '../files/named-file.ts'
import { cloudsFilePlaces } from './clouds-files.ts'
import type { FilePlaces } from './file-places.ts'

/** The kubeconfigs that kubectl could use here and that exist: those listed in KUBECONFIG, and ~/.kube/config. */
export async function suggestKubeconfigs(usual: readonly string[], { home }: FilePlaces): Promise<readonly string[]> {
  return existing([...usual, join(home, '.kube', 'config')])
}

/** The clouds.yaml files that exist where the openstack client looks, in its order; it uses the first. */
export async function suggestCloudsFiles(places: FilePlaces): Promise<readonly string[]> {
  return existing(cloudsFilePlaces(places))
}

/** What lies behind a folder that this user may not enter is no suggestion. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const places = [...new Set(paths)]
  const kinds = await Promise.all(places.map(kindAt))
  return places.filter((_, at) => kinds[at] === 'regular')
}
