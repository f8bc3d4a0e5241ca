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

/** Settings of maintenance by roles, as flags of `cluster add` and `cluster set`. */
export const roleMaintenanceFlagSpecs: readonly FlagSpec[] = [
  {
    name: 'strategy',
    value: { kind: 'choice', choices: ['watcher', 'nova', 'auto'] },
    help: 'how to empty compute nodes; auto: by flavour (sunbeam: watcher, others: nova)',
  },
  {
    name: 'ceph',
    value: { kind: 'choice', choices: ['toolbox', 'microceph', 'none', 'auto'] },
    help: "how to reach Ceph: through Rook's toolbox pod, through MicroCeph over Juju, or not at all; auto: by flavour",
  },
  {
    name: 'ceph-services-rule',
    value: { kind: 'choice', choices: ['fixed', 'majority', 'by-version', 'auto'] },
    help: 'which Ceph services must keep running: fixed: 3 mons, 1 mds, 1 mgr; majority: of the mons; by-version: by Ceph release; auto: by flavour (sunbeam: fixed, others: majority)',
  },
  {
    name: 'juju-directory',
    value: { kind: 'text', placeholder: 'DIR' },
    help: "the folder of the Juju client's files (default: JUJU_DATA, then ~/.local/share/juju)",
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
    help: "the address of the controller, without the Juju client's files",
  },
  {
    name: 'juju-ca-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: "certificate (PEM) of the controller's authority; read once, now",
  },
  { name: 'juju-user', value: { kind: 'text', placeholder: 'USER' }, help: 'the user at the controller' },
  {
    name: 'juju-password-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file with the password and nothing else; Lockkeeper reads it at every start',
  },
  { name: 'no-juju', value: { kind: 'switch' }, help: 'remove the Juju controller from the settings' },
]

type Around = Pick<CliProcess, 'workDirectory' | 'env'>

/** The settings in the flags; a message if one is invalid. `before`: the earlier settings, for flags that give only a part. */
export function roleMaintenanceFlags(
  args: ParsedArguments,
  before: RoleMaintenanceSettings,
  around: Around,
): Partial<RoleMaintenanceSettings> | string {
  const juju = jujuFlags(args, before.juju, around)
  if (typeof juju === 'string') return juju
  return {
    // With `auto` the flavour decides.
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
    return `--${file} reads the controller from the Juju client's files, --${typed} names it directly: give one of them.`
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
    return "Name the controller in the Juju client's files: --juju-controller NAME (`juju controllers` lists them)."
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
  'Name the model with the machines: --juju-model admin/openstack-machines (`juju models` lists them).'

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
    return 'Give the address of the Juju controller: --juju-endpoint HOST:PORT, once for each address.'
  if (user === undefined) return 'Give the user at the Juju controller: --juju-user USER.'
  if (password === undefined) return 'Give the file with the password for Juju: --juju-password-file FILE.'
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
    : { ok: false, problem: `--juju-ca-file ${file} has no PEM certificate (\`-----BEGIN CERTIFICATE-----\`).` }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
