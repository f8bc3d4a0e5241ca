import { resolve } from 'node:path'
import { ApplicationFile, type DeclaredApplication } from '../../../shared/domain/application-update.ts'
import type { ApplicationCommand, NodeWork } from '../../../shared/domain/command-work.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { NodeWorkGate, UpdateGroup, UpdateOptions } from '../../../shared/domain/update.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { readNamedText } from '../../platform/files/named-file.ts'
import { readYamlText } from '../../platform/files/yaml-text.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The options of an update, and the local commands that start applications. */
interface UpdateWish {
  readonly update: UpdateOptions
  readonly commands: readonly ApplicationCommand[]
}

/** The choices in the flags of `update plan` and `update start`; the proposal of the cluster for all others. */
export async function updateChoices(
  args: ParsedArguments,
  proposed: UpdateOptions,
  workDirectory: string,
): Promise<Result<UpdateWish>> {
  const work = await workOf(args, proposed.work, workDirectory)
  if (!work.ok) return work
  const control = args.text('control')
  const controlNodes = control === null ? proposed.controlNodes : control === 'none' ? [] : namesIn(control)
  const workers = proposed.groups.flatMap(({ nodes }) => nodes)
  const typed = args.texts('group')
  const groups = typed.length === 0 ? ok(proposed.groups) : groupsOf(typed, workers)
  if (!groups.ok) return groups
  const file = args.text('applications')
  const declared = file === null ? null : await applicationsIn(file, workDirectory)
  if (declared?.ok === false) return declared
  const applications = declared === null ? proposed.applications : declared.value.map(({ update }) => update)
  const commands = (declared?.value ?? []).flatMap(({ update: { application }, command }) =>
    command === null ? [] : [{ application, command, directory: workDirectory }],
  )
  const scope = args.text('scope')
  const update: UpdateOptions = {
    scope: scope === 'drain' || scope === 'os' ? scope : proposed.scope,
    release: args.text('release') ?? proposed.release,
    reason: args.text('reason') ?? proposed.reason,
    controlNodes,
    groups: [...groups.value],
    zoneAtATime: args.isSet('zone-at-a-time') || proposed.zoneAtATime,
    work: work.value,
    pauseBetweenNodes: args.isSet('pause-between-nodes') || proposed.pauseBetweenNodes,
    pauseBetweenPhases: args.isSet('pause-between-phases') || proposed.pauseBetweenPhases,
    ...(applications === undefined ? {} : { applications: [...applications] }),
  }
  return ok({ update, commands })
}

/** The applications in a YAML file, with patches in YAML too. */
async function applicationsIn(file: string, workDirectory: string): Promise<Result<readonly DeclaredApplication[]>> {
  const refused = (why: string) => failed(failure('bad-input', `--applications ${file}: ${why}`))
  const text = await readNamedText(resolve(workDirectory, file))
  if (!text.ok) return refused(text.failure.message)
  const yaml = readYamlText(text.value)
  if (!yaml.ok) return refused(`${yaml.fault.message}.`)
  const read = ApplicationFile.safeParse(yaml.value)
  if (!read.success) {
    const [issue] = read.error.issues
    return refused(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`)
  }
  const { applications } = read.data
  const names = applications.map(({ update }) => update.application)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? ok(applications) : refused(`it names ${twice} twice.`)
}

/** Reads `name=node,node:N` in running order; `*` means every worker that no other group names. */
function groupsOf(typed: readonly string[], workers: readonly string[]): Result<readonly UpdateGroup[]> {
  const read = typed.map(text => /^([^=]+)=([^:]+?)(?::(\d+))?$/.exec(text))
  const wrong = typed.find((_, at) => read[at] === null || read[at]?.[3] === '0')
  if (wrong !== undefined) {
    return failed(refusal('bad-input', because('FlagTakesGroup', { given: wrong })))
  }
  const named = read.flatMap(match => namesIn(match?.[2] ?? ''))
  const groups = read.map((match, at): UpdateGroup => {
    const names = namesIn(match?.[2] ?? '')
    const nodes = names.flatMap(name => (name === '*' ? workers.filter(worker => !named.includes(worker)) : [name]))
    return { name: match?.[1] ?? '', index: at + 1, nodes, concurrentUpdates: Number(match?.[3] ?? 1) }
  })
  const empty = groups.find(({ nodes }) => nodes.length === 0)
  return empty === undefined
    ? ok(groups)
    : failed(refusal('bad-input', because('GroupWithoutNodes', { group: empty.name })))
}

/** How Lockkeeper knows that the work has finished: `person`, `boot-id`, `kubelet=VERSION`, `os-image=TEXT`, `job=FILE`. */
export async function workOf(
  args: ParsedArguments,
  proposed: NodeWorkGate,
  workDirectory: string,
): Promise<Result<NodeWorkGate>> {
  const typed = args.text('work')
  if (typed === null) return ok(proposed)
  if (typed === 'person' || typed === 'boot-id') return ok({ kind: typed })
  const at = typed.indexOf('=')
  const value = typed.slice(at + 1)
  switch (at < 1 || value === '' ? '' : typed.slice(0, at)) {
    case 'kubelet':
      return ok({ kind: 'kubelet-version', version: value })
    case 'os-image':
      return ok({ kind: 'os-image', contains: value })
    case 'job':
      return jobOf(value, args.text('job-namespace') ?? 'default', workDirectory)
    case 'command':
      return failed(refusal('bad-input', because('CommandWorkOnlyInMaintain')))
    default:
      return failed(refusal('bad-input', because('FlagTakesWork', { given: typed })))
  }
}

/** Reads the work of `maintain`, which may also be `command=COMMAND`, run in the current folder. */
export async function nodeWorkOf(args: ParsedArguments, workDirectory: string): Promise<Result<NodeWork>> {
  const command = /^command=(.*)$/s.exec(args.text('work') ?? '')?.[1]
  return command === undefined
    ? workOf(args, { kind: 'person' }, workDirectory)
    : ok({ kind: 'command', command, directory: workDirectory })
}

async function jobOf(file: string, namespace: string, workDirectory: string): Promise<Result<NodeWorkGate>> {
  const manifest = await readNamedText(resolve(workDirectory, file))
  return manifest.ok
    ? ok({ kind: 'job', namespace, manifest: manifest.value })
    : failed(refusal('bad-input', because('ManifestNotRead', { file, cause: manifest.failure.message })))
}

/** Names separated by commas. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap(name => (name.trim() === '' ? [] : [name.trim()]))
}
