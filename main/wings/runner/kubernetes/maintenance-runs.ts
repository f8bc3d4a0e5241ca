import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { MaintenanceCampaign, MaintenanceCampaignStatus } from '../../../../shared/domain/maintenance-campaign.ts'
import { type MaintenanceRunSpec, tooLarge } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { KubernetesObject } from '../../../adapters/kubernetes/answers.ts'
import { MalformedAnswer, objectOrNullIn, textOrNullIn } from '../../../adapters/kubernetes/fields.ts'
import { listRead } from '../../../adapters/kubernetes/list.ts'
import { createObject, getObject, isNotServed, patchObject } from '../../../adapters/kubernetes/objects.ts'
import {
  folderOf,
  MAINTENANCE_CAMPAIGNS,
  MAINTENANCE_RUN_CONTROLS,
  MAINTENANCE_RUNS,
  type Named,
} from '../../../adapters/kubernetes/resource-types.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'
import { createWatchTogether } from '../../../adapters/kubernetes/watch-together.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { MaintenanceRunsPort, RunnerObjects, StatusCondition } from '../ports/maintenance-runs.ts'
import { provesUsersSince } from './admission.ts'
import {
  NO_MAINTENANCE_RUNS,
  readMaintenanceCampaign,
  readMaintenanceRun,
  readMaintenanceRunControl,
} from './maintenance-run-objects.ts'
import { whoAmI } from './who-am-i.ts'

/** How often a status write that conflicts is repeated on the new state. */
const ROUNDS = 5

/** The server rejects fields that the schema would silently drop: an older definition must not lose part of a request. */
const STRICT = { fieldValidation: 'Strict' } as const

/** Fields that older definitions lack and drop; the rest of the status is still worth writing. */
const LATER_FIELDS: ReadonlySet<string> = new Set(['reason', 'reasons'])

const TriedRun = z.object({
  spec: z.object({ campaign: z.string().nullish(), handedOver: z.object({ storyHash: z.string() }).nullish() }),
})

/** The namespace of the runner, over one session. */
interface RunsPlace {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
}

type Fields = Readonly<Record<string, unknown>>

/** MaintenanceRuns, their campaigns and controls in one namespace (main/ports). */
export function createMaintenanceRuns(place: RunsPlace): MaintenanceRunsPort {
  const { session, namespace } = place
  const runNamed = (name: string): Named => ({ type: MAINTENANCE_RUNS, namespace, name })
  const campaignNamed = (name: string): Named => ({ type: MAINTENANCE_CAMPAIGNS, namespace, name })
  const controlNamed = (name: string): Named => ({ type: MAINTENANCE_RUN_CONTROLS, namespace, name })
  return {
    objects: signal => readRunnerObjects(place, signal),
    run: async (name, signal) => nullIfAbsent(await getObject(session, runNamed(name), readMaintenanceRun, signal)),
    campaigns: async signal =>
      withoutKinds(await listRead(session, MAINTENANCE_CAMPAIGNS, readMaintenanceCampaign, { namespace, signal })),
    campaign: async (name, signal) =>
      nullIfAbsent(await getObject(session, campaignNamed(name), readMaintenanceCampaign, signal)),
    createCampaign: ({ name, spec }, signal) => {
      const whole = { ...spec, batches: spec.batches.map(withoutNulls) }
      return createNamed(place, campaignNamed(name), whole, readMaintenanceCampaign, signal)
    },
    createRun: ({ name, spec }, signal) => createRun(place, runNamed(name), spec, signal),
    createControl: ({ name, spec }, signal) =>
      createNamed(place, controlNamed(name), spec, readMaintenanceRunControl, signal),
    setRunStatus: ({ name, uid }, status, only, signal) => {
      // A printer column shows one field; "done of all" is only for display.
      const nodes = status.nodesAll === 0 ? '' : `${status.nodesDone}/${status.nodesAll}`
      return setStatus(session, { ...runNamed(name), uid }, { ...status, nodes }, only, signal)
    },
    setCampaignStatus: (campaign, status, signal) =>
      setCampaignStatus(session, { ...campaignNamed(campaign.name), ...campaign }, status, signal),
    setControlStatus: ({ name, uid }, status, signal) =>
      setStatus(session, { ...controlNamed(name), uid }, status, {}, signal),
    whoAmI: signal => whoAmI(session, signal),
    provesUsersSince: signal => provesUsersSince(session, signal),
    watch: watchRunnerObjects(place),
  }
}

async function readRunnerObjects(
  { session, namespace }: RunsPlace,
  signal?: AbortSignal,
): Promise<Result<Pick<RunnerObjects, 'runs' | 'controls'>>> {
  const [runs, controls] = await Promise.all([
    listRead(session, MAINTENANCE_RUNS, readMaintenanceRun, { namespace, signal }),
    listRead(session, MAINTENANCE_RUN_CONTROLS, readMaintenanceRunControl, { namespace, signal }),
  ])
  if (!runs.ok) return withoutKinds(runs)
  return controls.ok ? ok({ runs: runs.value, controls: controls.value }) : withoutKinds(controls)
}

function watchRunnerObjects({ session, namespace, clock }: RunsPlace) {
  return createWatchTogether<RunnerObjects>({
    session,
    clock,
    lookAgainMs: seconds(10),
    kinds: {
      runs: { collection: { type: MAINTENANCE_RUNS, namespace }, read: readMaintenanceRun, needed: true },
      controls: {
        collection: { type: MAINTENANCE_RUN_CONTROLS, namespace },
        read: readMaintenanceRunControl,
        needed: true,
      },
      // Definitions are installed by hand and may be older than the runner.
      campaigns: {
        collection: { type: MAINTENANCE_CAMPAIGNS, namespace },
        read: readMaintenanceCampaign,
        needed: false,
      },
    },
    absent: NO_MAINTENANCE_RUNS,
  })
}

/** Null for an object that does not exist; a failure where its kind is missing: do not wait for an object that cannot appear. */
function nullIfAbsent<T>(found: Result<T>): Result<T | null> {
  return found.ok || found.failure.code !== 'not-found' || isNotServed(found.failure) ? withoutKinds(found) : ok(null)
}

async function createNamed<T>(
  { session, namespace }: RunsPlace,
  target: Named,
  spec: Fields,
  read: (object: KubernetesObject) => T,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const body = bodyOf(target, namespace, spec)
  return withoutKinds(await createObject(session, target, body, read, { query: STRICT, signal }))
}

function bodyOf({ type: { apiVersion, kind }, name }: Named, namespace: string, spec: Fields) {
  return { apiVersion, kind, metadata: { name, namespace }, spec: withoutNulls(spec) }
}

async function createRun(place: RunsPlace, target: Named, spec: MaintenanceRunSpec, signal?: AbortSignal) {
  const size = tooLarge(spec, Buffer.byteLength(JSON.stringify(spec)))
  if (size !== null) {
    const { code, ...sizes } = size
    return failed(refusal('bad-input', because(code, sizes), ofObject(target)))
  }
  if (spec.campaign !== null || spec.handedOver !== null) {
    const kept = await keepsWhole(place, target, spec, signal)
    if (!kept.ok) return kept
  }
  return createNamed(place, target, spec, readMaintenanceRun, signal)
}

/** Without strict validation servers drop fields of newer definitions: a delayed run would start at once. A dry run checks this first. */
async function keepsWhole(
  { session, namespace }: RunsPlace,
  target: Named,
  spec: MaintenanceRunSpec,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const { name: run } = target
  const tried = await session.request({
    method: 'POST',
    path: folderOf(target),
    body: bodyOf(target, namespace, spec),
    query: { ...STRICT, dryRun: 'All' },
    signal,
  })
  if (!tried.ok) return withoutKinds(tried)
  const kept = TriedRun.safeParse(tried.value)
  if (!kept.success) return failed(refusal('unreadable', because('RunKeptWholeUnknown', { run }), ofObject(target)))
  const { campaign, handedOver } = kept.data.spec
  if ((campaign ?? null) !== spec.campaign)
    return failed(refusal('conflict', because('DefinitionKnowsNoCampaigns', { run }), ofObject(target)))
  if (handedOver?.storyHash !== spec.handedOver?.storyHash) {
    const lost = because('DefinitionKnowsNoHandOver', { run: spec.handedOver?.run ?? run })
    return failed(refusal('conflict', lost, ofObject(target)))
  }
  return ok(undefined)
}

/** Writes the status of exactly this object, or nothing if it is the same. It names the resource version: the status subresource ignores a UID in the patch. */
async function setStatus(
  session: KubernetesSession,
  target: Named & { readonly uid: string },
  status: Fields,
  { seen, by }: StatusCondition = {},
  signal?: AbortSignal,
): Promise<Result<void>> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await getObject(
      session,
      target,
      ({ metadata, ...object }) => ({ metadata, now: objectOrNullIn(object, 'status') ?? {} }),
      signal,
    )
    if (!found.ok) return withoutKinds(found)
    const { metadata, now } = found.value
    if (metadata.uid !== target.uid) return failed(recreated(target))
    const holder = textOrNullIn(objectOrNullIn(now, 'driver') ?? {}, 'runner')
    if (by !== undefined && holder !== null && holder !== by) return failed(statusOfOtherRunner(target, holder))
    if (seen !== undefined && metadata.resourceVersion !== seen) return failed(changedMeanwhile(target))
    if (isDeepStrictEqual(now, withoutNulls(status))) return ok(undefined)
    // Removes fields that are no longer set: null removes a field in a merge patch.
    const gone = Object.fromEntries(Object.keys(now).map(field => [field, null]))
    const body = {
      metadata: { resourceVersion: metadata.resourceVersion },
      status: { ...gone, ...emptyAsNull(status) },
    }
    const written = await patchObject(
      session,
      target,
      { kind: 'merge', subresource: 'status', body, uid: metadata.uid },
      after => {
        const other = notAsWritten(objectOrNullIn(after, 'status') ?? {}, status)
        if (other !== null) throw new MalformedAnswer(because('FieldNotAsWritten', { field: `status.${other}` }))
      },
      signal,
    )
    if (written.ok || written.failure.code !== 'conflict') return written
  }
  return failed(
    refusal('conflict', because('StatusContended', named(target)), { retryable: true, ...ofObject(target) }),
  )
}

async function setCampaignStatus(
  session: KubernetesSession,
  target: Named & { readonly uid: string; readonly resourceVersion: string },
  status: MaintenanceCampaignStatus,
  signal?: AbortSignal,
): Promise<Result<MaintenanceCampaign>> {
  const { hold } = status
  const whole = {
    ...status,
    // A merge patch keeps fields that it does not name, at any depth.
    hold: hold === null ? null : { kind: hold.kind, by: hold.by ?? null, reason: hold.reason ?? null },
    batches: status.batch === 0 ? '' : `${status.batch}/${status.batchesAll}`,
    runs: `${status.runsDone + status.runsFailed}/${status.runsAll}`,
  }
  const body = { metadata: { resourceVersion: target.resourceVersion }, status: emptyAsNull(whole) }
  // The resource version identifies one object, so no other can be written.
  const patch = { kind: 'merge', subresource: 'status', body, uid: null } as const
  const written = await patchObject(session, target, patch, readMaintenanceCampaign, signal)
  if (written.ok && written.value.uid !== target.uid) return failed(recreated(target))
  if (!written.ok || isDeepStrictEqual(written.value.status, status)) return withoutKinds(written)
  return failed(refusal('unreadable', because('CampaignStatusLost', { campaign: target.name }), ofObject(target)))
}

/** The first status field that differs from what was written; null if there is none. */
export function notAsWritten(shown: Fields, status: Fields): string | null {
  const isAsWritten = (field: string, value: unknown) =>
    isDeepStrictEqual(shown[field], value) || (LATER_FIELDS.has(field) && shown[field] === undefined)
  return Object.entries(withoutNulls(status)).find(([field, value]) => !isAsWritten(field, value))?.[0] ?? null
}

/** Absent and null mean the same (docs/runner.md): an API server removes a null whose field the schema lacks. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

/** An empty text counts as absent: some API servers turn it into null and then reject it. */
function emptyAsNull(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value === '' ? null : (value ?? null)]),
  )
}

/** Why the kinds are missing, for the administrator who can install them. */
function withoutKinds<T>(answer: Result<T>): Result<T> {
  if (answer.ok || !isNotServed(answer.failure)) return answer
  return failed(refusal('not-found', NO_MAINTENANCE_RUNS, { detail: answer.failure.message }))
}

function statusOfOtherRunner(target: Named, runner: string) {
  return refusal('held', because('StatusOfOtherRunner', { ...named(target), runner }), ofObject(target))
}

function changedMeanwhile(target: Named) {
  return refusal('conflict', because('ObjectChangedMeanwhile', named(target)), {
    retryable: true,
    ...ofObject(target),
  })
}

function recreated(target: Named) {
  return refusal('conflict', because('ObjectReplaced', named(target)), { retryable: true, ...ofObject(target) })
}

function named({ type: { kind }, name }: Named) {
  return { kind, name }
}

function ofObject({ type: { kind }, name }: Named) {
  return { target: `${kind}/${name}` }
}
