import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { JujuAccess } from '../../shared/domain/role-maintenance.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import { readNamedFile } from '../platform/files/named-file.ts'
import { readYamlText } from '../platform/files/yaml-text.ts'
import type { FilePlaces } from './file-places.ts'

/** The controller of a cluster's settings, from the Juju client's files or as typed in; read at every session start. */
export async function resolveJuju(access: JujuAccess, places: FilePlaces): Promise<Result<ResolvedJuju>> {
  return access.kind === 'client-files' ? fromClientFiles(access, places) : fromTyped(access)
}

type ClientFiles = Extract<JujuAccess, { readonly kind: 'client-files' }>
type Typed = Extract<JujuAccess, { readonly kind: 'typed' }>

/** The fields of controllers.yaml that a connection needs (Juju `jujuclient/interface.go`, ControllerDetails). */
const Controllers = z.object({
  controllers: z.record(
    z.string(),
    z.object({ 'api-endpoints': z.array(z.string()).optional(), 'ca-cert': z.string().optional() }).nullable(),
  ),
})

/** The same of accounts.yaml (AccountDetails): an account of `juju login` in a browser has no password. */
const Accounts = z.object({
  controllers: z.record(
    z.string(),
    z.object({ user: z.string(), password: z.union([z.string(), z.number()]).optional() }).nullable(),
  ),
})

const SunbeamAccount = z.object({ user: z.string(), password: z.string().min(1) })

async function fromClientFiles(access: ClientFiles, places: FilePlaces): Promise<Result<ResolvedJuju>> {
  const { directory, controller, model } = access
  const controllersFile = join(directory, 'controllers.yaml')
  const accountsFile = join(directory, 'accounts.yaml')
  const controllers = await readYaml(controllersFile, Controllers, places)
  if (!controllers.ok) return controllers
  const known = controllers.value.content.controllers[controller]
  if (known === undefined || known === null) {
    const names = Object.keys(controllers.value.content.controllers)
    return bad(because('JujuControllerUnknown', { path: controllersFile, controller, known: names }), controllersFile)
  }
  const endpoints = known['api-endpoints'] ?? []
  const caCertificate = known['ca-cert'] ?? ''
  if (endpoints.length === 0) return lacks(controllersFile, controller, 'api-endpoints')
  // Without it the controller has a public authority (JAAS), whose accounts have no password either.
  if (!isCertificate(caCertificate)) return lacks(controllersFile, controller, 'ca-cert')

  const accounts = await readYaml(accountsFile, Accounts, places)
  if (!accounts.ok) return accounts
  const account = accounts.value.content.controllers[controller]
  if (account === undefined || account === null) {
    return bad(because('JujuAccountMissing', { path: accountsFile, controller }), accountsFile)
  }
  const { user } = account
  const kept = { file: accountsFile, password: String(account.password ?? ''), mode: accounts.value.mode }
  const found = kept.password === '' ? await passwordOfSunbeam(user, places) : kept
  if (found === null) {
    return bad(because('JujuPasswordMissing', { path: accountsFile, controller, user }), accountsFile)
  }
  const { file, password, mode } = found
  return ok({ name: controller, endpoints, caCertificate, user, password, model, warnings: openToOthers(file, mode) })
}

/** The password of a node's own Juju user, which Sunbeam stores beside the client's files (`core/juju.py`, JujuAccount); only for that user. */
async function passwordOfSunbeam(
  user: string,
  places: FilePlaces,
): Promise<{ readonly file: string; readonly password: string; readonly mode: number } | null> {
  const file = join(places.home, 'snap', 'openstack', 'current', 'account.yaml')
  const account = await readYaml(file, SunbeamAccount, places)
  if (!account.ok || account.value.content.user !== user) return null
  return { file, password: account.value.content.password, mode: account.value.mode }
}

async function fromTyped({
  endpoints,
  caCertificate,
  user,
  passwordFile,
  model,
}: Typed): Promise<Result<ResolvedJuju>> {
  const name = endpoints[0] ?? ''
  if (!isCertificate(caCertificate)) {
    return bad(because('JujuAuthorityNotPem', { controller: name }), name)
  }
  const text = await readText(passwordFile)
  if (!text.ok) return text
  const password = text.value.text.replace(/\r?\n$/, '')
  if (password === '' || /[\r\n]/.test(password)) {
    const lines = password === '' ? 0 : password.split(/\r\n|\r|\n/).length
    return bad(because('JujuPasswordFileStrange', { path: passwordFile, controller: name, user, lines }), passwordFile)
  }
  return ok({
    name,
    endpoints,
    caCertificate,
    user,
    password,
    model,
    warnings: openToOthers(passwordFile, text.value.mode),
  })
}

async function readYaml<T>(
  path: string,
  shape: z.ZodType<T>,
  places: FilePlaces,
): Promise<Result<{ readonly content: T; readonly mode: number }>> {
  const text = await readText(path, places)
  if (!text.ok) return text
  const yaml = readYamlText(text.value.text)
  if (!yaml.ok) {
    const why =
      yaml.line === null
        ? because('JujuFileUnusable', { path, fault: yaml.fault })
        : because('JujuFileNotYaml', { path })
    return bad(why, path)
  }
  const read = shape.safeParse(yaml.value)
  if (read.success) return ok({ content: read.data, mode: text.value.mode })
  return bad(because('JujuFileStrange', { path, at: read.error.issues[0]?.path.join('.') ?? '' }), path)
}

async function readText(
  path: string,
  places?: FilePlaces,
): Promise<Result<{ readonly text: string; readonly mode: number }>> {
  const read = await readNamedFile(path)
  if (read.kind === 'read') return ok({ text: read.content.toString('utf8'), mode: read.mode })
  const elsewhere = places !== undefined && read.kind === 'absent' ? directoriesBeside(path, places) : []
  return bad(
    read.kind === 'absent'
      ? because('JujuFileAbsent', { path, elsewhere })
      : because('JujuFileNotRead', { path, fault: read.fault }),
    path,
  )
}

function directoriesBeside(path: string, places: FilePlaces): readonly string[] {
  return jujuDirectories(places).filter(directory => !path.startsWith(`${directory}/`))
}

/** Directories of the Juju client here, plain or in a snap such as openstack. */
function jujuDirectories({ environment, home }: FilePlaces): readonly string[] {
  const places = [
    environment.JUJU_DATA ?? '',
    join(home, '.local', 'share', 'juju'),
    ...['openstack', 'juju'].flatMap(snap =>
      namesIn(join(home, 'snap', snap)).map(revision => join(home, 'snap', snap, revision, '.local', 'share', 'juju')),
    ),
  ]
  return [...new Set(places)].filter(place => place !== '' && namesIn(place).includes('controllers.yaml'))
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Windows has no such bits; there every file reports 0o666. */
function openToOthers(path: string, mode: number): readonly Finding[] {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  return [because('PasswordFileOpenToOthers', { path })]
}

function isCertificate(text: string): boolean {
  return text.includes('-----BEGIN CERTIFICATE-----')
}

function lacks(path: string, controller: string, key: string): Result<never> {
  return bad(because('JujuControllerLacks', { path, controller, key }), path)
}

function bad(why: Finding, target: string): Result<never> {
  return failed(refusal('bad-input', why, { target }))
}
