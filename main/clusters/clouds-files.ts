import { dirname, isAbsolute, join, resolve } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { firstThere, readNamedText } from '../platform/files/named-file.ts'
import { readYamlText } from '../platform/files/yaml-text.ts'
import type { FilePlaces } from './file-places.ts'

/** A mapping of a YAML file; every scalar keeps its text, so that `password: 0123` stays 0123. */
export type Settings = { readonly [key: string]: Setting }
export type Setting = string | null | readonly Setting[] | Settings

const ENDINGS = ['.yaml', '.yml', '.json']

/** The folders that openstacksdk searches, in order (openstack/config/loader.py CONFIG_SEARCH_PATH). */
function searchedFolders({ environment, home, currentDirectory, siteDirectory }: FilePlaces): readonly string[] {
  const config = environment.XDG_CONFIG_HOME ?? ''
  const usual = join(home, '.config', 'openstack')
  const user = isAbsolute(config) ? join(config, 'openstack') : usual
  return [currentDirectory, ...new Set([user, usual]), siteDirectory ?? '/etc/openstack']
}

function candidates(folders: readonly string[], name: string): readonly string[] {
  return folders.flatMap(folder => ENDINGS.map(ending => join(folder, `${name}${ending}`)))
}

export function cloudsFilePlaces(places: FilePlaces): readonly string[] {
  const named = places.environment.OS_CLIENT_CONFIG_FILE ?? ''
  return [
    ...(named === '' ? [] : [resolve(places.currentDirectory, named)]),
    ...candidates(searchedFolders(places), 'clouds'),
  ]
}

/** The clouds.yaml that the openstack client would use here and now: OS_CLIENT_CONFIG_FILE, else the first one found. */
export async function findCloudsFile(places: FilePlaces): Promise<Result<string>> {
  const named = places.environment.OS_CLIENT_CONFIG_FILE ?? ''
  const found = await firstThere(cloudsFilePlaces(places))
  if (found !== null) return ok(found)
  const looked = [
    ...(named === '' ? [] : [resolve(places.currentDirectory, named)]),
    ...searchedFolders(places).map(folder => join(folder, 'clouds.yaml')),
  ]
  return failed(refusal('not-found', because('CloudsFileNotFound', { looked })))
}

/** The secure file of a clouds.yaml: OS_CLIENT_SECURE_FILE, else the one in the same folder; null if there is none. */
export async function findSecureFile(cloudsFile: string, places: FilePlaces): Promise<string | null> {
  const named = places.environment.OS_CLIENT_SECURE_FILE ?? ''
  return firstThere([
    ...(named === '' ? [] : [resolve(places.currentDirectory, named)]),
    ...candidates(besides(cloudsFile, places), 'secure'),
  ])
}

export async function findPublicFile(cloudsFile: string, places: FilePlaces): Promise<string | null> {
  return firstThere(candidates(besides(cloudsFile, places), 'clouds-public'))
}

/** Its own folder; for a file in a system folder, also the other system folders, as in openstacksdk. */
function besides(cloudsFile: string, places: FilePlaces): readonly string[] {
  const own = dirname(cloudsFile)
  const standard = searchedFolders(places).slice(1)
  return standard.includes(own) ? [own, ...standard.filter(folder => folder !== own)] : [own]
}

/** Reads a YAML or JSON file of settings. Failures name file and line, never contents. */
export async function readSettings(path: string): Promise<Result<Settings>> {
  const text = await readNamedText(path)
  if (!text.ok) return text
  const yaml = readYamlText(text.value, { textOnly: true, mayRepeatKeys: true })
  if (!yaml.ok)
    return failed(refusal('bad-input', because('PathUnusable', { path, fault: yaml.fault }), { target: path }))
  if (yaml.value === null) return ok({})
  return isSettings(yaml.value)
    ? ok(yaml.value)
    : failed(refusal('bad-input', because('CloudsFileWithoutClouds', { path }), { target: path }))
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
