import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  CephAccess,
  CephServicesRule,
  ComputeStrategy,
  type JujuAccess,
  type RoleMaintenanceSettings,
} from '../../../shared/domain/role-maintenance.ts'
import type { FlagSpec } from './arguments/argument-specs.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import type { CliProcess } from './process-io.ts'

/** How a cluster's roles are taken into maintenance, as flags of `cluster add` and `cluster set`. */
export const roleMaintenanceFlagSpecs: readonly FlagSpec[] = [
  {
    name: 'strategy',
    value: { kind: 'choice', choices: ['watcher', 'nova', 'auto'] },
    help: 'who empties compute nodes; auto: as the flavour has it (sunbeam: watcher, else nova)',
  },
  {
    name: 'ceph',
    value: { kind: 'choice', choices: ['toolbox', 'microceph', 'none', 'auto'] },
    help: "how Ceph is asked: Rook's toolbox pod, MicroCeph over Juju, or not; auto: as the flavour has it",
  },
  {
    name: 'ceph-services-rule',
    value: { kind: 'choice', choices: ['fixed', 'majority', 'by-version', 'auto'] },
    help: 'which services of Ceph must stay: fixed 3 mons, 1 mds, 1 mgr; a majority of the mons; or by release; auto: as the flavour has it (sunbeam: fixed, else majority)',
  },
  {
    name: 'juju-directory',
    value: { kind: 'text', placeholder: 'DIR' },
    help: "the Juju client's files (else JUJU_DATA, else ~/.local/share/juju)",
  },
  {
    name: 'juju-controller',
    value: { kind: 'text', placeholder: 'NAME' },
    help: 'the controller in those files',
  },
  {
    name: 'juju-model',
    value: { kind: 'text', placeholder: 'MODEL' },
    help: 'the model with the machines, such as admin/openstack-machines',
  },
  {
    name: 'juju-endpoint',
    value: { kind: 'text', placeholder: 'HOST:PORT' },
    repeatable: true,
    help: "a controller without the client's files: where it is",
  },
  {
    name: 'juju-ca-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: "PEM of the controller's own authority, read now",
  },
  { name: 'juju-user', value: { kind: 'text', placeholder: 'USER' }, help: 'who we are there' },
  {
    name: 'juju-password-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file that holds nothing but the password; it stays there and is read at every start',
  },
  { name: 'no-juju', value: { kind: 'switch' }, help: 'the cluster has no Juju controller that we know of' },
]

type Around = Pick<CliProcess, 'workDirectory' | 'env'>

/** What the flags say of maintenance by roles; a sentence when one cannot be. `before`: what stands where a flag says only a part. */
export function roleMaintenanceFlags(
  args: ParsedArguments,
  before: RoleMaintenanceSettings,
  around: Around,
): Partial<RoleMaintenanceSettings> | string {
  const juju = jujuFlags(args, before.juju, around)
  if (typeof juju === 'string') return juju
  return {
    // `auto` is none of the ways themselves: the flavour decides.
    ...(args.isSet('strategy') ? { strategy: ComputeStrategy.safeParse(args.text('strategy')).data ?? null } : {}),
    ...(args.isSet('ceph') ? { ceph: CephAccess.safeParse(args.text('ceph')).data ?? null } : {}),
    ...(args.isSet('ceph-services-rule')
      ? { cephServicesRule: CephServicesRule.safeParse(args.text('ceph-services-rule')).data ?? null }
      : {}),
    ...juju,
  }
}

const OF_FILES = ['juju-directory', 'juju-controller'] as const
const TYPED = ['juju-endpoint', 'juju-ca-file', 'juju-user', 'juju-password-file'] as const
const OF_JUJU = [...OF_FILES, ...TYPED, 'juju-model'] as const

function jujuFlags(
  args: ParsedArguments,
  before: JujuAccess | null,
  around: Around,
): { readonly juju?: JujuAccess | null } | string {
  const first = OF_JUJU.find(flag => args.isSet(flag))
  if (args.isSet('no-juju')) {
    return first === undefined ? { juju: null } : `--no-juju and --${first} contradict each other.`
  }
  if (first === undefined) return {}
  const file = OF_FILES.find(flag => args.isSet(flag))
  const typed = TYPED.find(flag => args.isSet(flag))
  if (file !== undefined && typed !== undefined) {
    return `--${file} takes the controller from the Juju client's files, --${typed} has it typed in: give one or the other.`
  }
  const isTyped = typed !== undefined || (file === undefined && before?.kind === 'typed')
  const access = isTyped ? typedAccess(args, before, around) : fileAccess(args, before, around)
  return typeof access === 'string' ? access : { juju: access }
}

function fileAccess(args: ParsedArguments, before: JujuAccess | null, around: Around): JujuAccess | string {
  const earlier = before?.kind === 'client-files' ? before : null
  const directory = args.text('juju-directory')
  const controller = args.text('juju-controller') ?? earlier?.controller ?? null
  const model = args.text('juju-model') ?? before?.model ?? null
  if (controller === null) {
    return "Say which controller of the Juju client's files it is: --juju-controller NAME (`juju controllers` lists them)."
  }
  if (model === null) return MODEL_MISSING
  return {
    kind: 'client-files',
    directory:
      directory === null
        ? (earlier?.directory ?? usualDirectory(around.env))
        : resolve(around.workDirectory, directory),
    controller,
    model,
  }
}

const MODEL_MISSING =
  'Say which model has the machines: --juju-model admin/openstack-machines (`juju models` lists them).'

function usualDirectory(env: Around['env']): string {
  return env.JUJU_DATA ?? join(env.XDG_DATA_HOME ?? join(env.HOME ?? '/', '.local', 'share'), 'juju')
}

function typedAccess(args: ParsedArguments, before: JujuAccess | null, around: Around): JujuAccess | string {
  const earlier = before?.kind === 'typed' ? before : null
  const certificate = certificateOf(args.text('juju-ca-file'), earlier?.caCertificate ?? null, around.workDirectory)
  if (!certificate.ok) return certificate.problem
  const passwordFile = args.text('juju-password-file')
  const password = passwordFile === null ? earlier?.passwordFile : resolve(around.workDirectory, passwordFile)
  const endpoints = args.isSet('juju-endpoint') ? args.texts('juju-endpoint') : (earlier?.endpoints ?? [])
  const user = args.text('juju-user') ?? earlier?.user
  const model = args.text('juju-model') ?? before?.model
  if (endpoints.length === 0)
    return 'Say where the Juju controller is: --juju-endpoint HOST:PORT, once for each address.'
  if (user === undefined) return 'Say who we are at the Juju controller: --juju-user USER.'
  if (password === undefined) return 'Say which file holds the password for Juju: --juju-password-file FILE.'
  if (model === undefined) return MODEL_MISSING
  return {
    kind: 'typed',
    endpoints: [...endpoints],
    caCertificate: certificate.pem,
    user,
    passwordFile: password,
    model,
  }
}

type Certificate = { readonly ok: true; readonly pem: string } | { readonly ok: false; readonly problem: string }

function certificateOf(path: string | null, earlier: string | null, workDirectory: string): Certificate {
  if (path === null) {
    return earlier === null
      ? { ok: false, problem: "Give the authority that signed the Juju controller's certificate: --juju-ca-file FILE." }
      : { ok: true, pem: earlier }
  }
  const file = resolve(workDirectory, path)
  const text = textOf(file)
  if (text === null) return { ok: false, problem: `--juju-ca-file ${file} cannot be read.` }
  return text.includes('-----BEGIN CERTIFICATE-----')
    ? { ok: true, pem: text }
    : { ok: false, problem: `--juju-ca-file ${file} holds no certificate in PEM (\`-----BEGIN CERTIFICATE-----\`).` }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
