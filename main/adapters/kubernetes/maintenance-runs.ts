import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type MaintenanceRunSpec, tooLarge } from '../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { MaintenanceRunsPort, RunnerObjects, StatusCondition } from '../../ports/maintenance-runs.ts'
import { provesUsersSince } from './admission.ts'
import type { KubernetesObject } from './answers.ts'
import { MalformedAnswer, objectOrNullIn, textOrNullIn } from './fields.ts'
import { listRead } from './list.ts'
import {
  NO_MAINTENANCE_RUNS,
  readMaintenanceCampaign,
  readMaintenanceRun,
  readMaintenanceRunControl,
} from './maintenance-run-objects.ts'
import { createObject, getObject, isNotServed, patchObject } from './objects.ts'
import {
  folderOf,
  MAINTENANCE_CAMPAIGNS,
  MAINTENANCE_RUN_CONTROLS,
  MAINTENANCE_RUNS,
  type Named,
} from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { createWatchTogether } from './watch-together.ts'
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

/** MaintenanceRuns, their campaigns and controls in one namespace, over one session (main/ports). */
export function createMaintenanceRuns(options: {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
}): MaintenanceRunsPort {
  const { session, namespace, clock } = options
  const runNamed = (name: string) => ({ type: MAINTENANCE_RUNS, namespace, name })
  const campaignNamed = (name: string) => ({ type: MAINTENANCE_CAMPAIGNS, namespace, name })
  const controlNamed = (name: string) => ({ type: MAINTENANCE_RUN_CONTROLS, namespace, name })

  function create<T>(
    target: Named,
    spec: Readonly<Record<string, unknown>>,
    read: (object: KubernetesObject) => T,
    signal?: AbortSignal,
  ): Promise<Result<T>> {
    const body = bodyOf(target, spec)
    return createObject(session, target, body, read, { query: STRICT, signal }).then(withoutKinds)
  }

  const bodyOf = ({ type: { apiVersion, kind }, name }: Named, spec: Readonly<Record<string, unknown>>) => ({
    apiVersion,
    kind,
    metadata: { name, namespace },
    spec: withoutNulls(spec),
  })

  /** Without strict validation servers drop fields of newer definitions: a delayed run would start at once. A dry run checks this first. */
  async function keepsWhole(name: string, spec: MaintenanceRunSpec, signal?: AbortSignal): Promise<Result<void>> {
    const target = runNamed(name)
    const query = { ...STRICT, dryRun: 'All' }
    const tried = await session.request({
      method: 'POST',
      path: folderOf(target),
      body: bodyOf(target, spec),
      query,
      signal,
    })
    if (!tried.ok) return withoutKinds(tried)
    const kept = TriedRun.safeParse(tried.value)
    if (!kept.success) {
      return failed(refusal('unreadable', because('RunKeptWholeUnknown', { run: name }), ofRun(name)))
    }
    const { campaign, handedOver } = kept.data.spec
    if ((campaign ?? null) !== spec.campaign)
      return failed(refusal('conflict', because('DefinitionKnowsNoCampaigns', { run: name }), ofRun(name)))
    if (handedOver?.storyHash !== spec.handedOver?.storyHash) {
      const run = spec.handedOver?.run ?? name
      return failed(refusal('conflict', because('DefinitionKnowsNoHandOver', { run }), ofRun(name)))
    }
    return ok(undefined)
  }

  /** Writes the status of exactly this object, or nothing if it is the same. It names the resource version: the status subresource ignores a UID in the patch. */
  async function setStatus(
    target: Named,
    uid: string,
    status: Readonly<Record<string, unknown>>,
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
      if (metadata.uid !== uid) return failed(recreated(target))
      const holder = textOrNullIn(objectOrNullIn(now, 'driver') ?? {}, 'runner')
      if (by !== undefined && holder !== null && holder !== by) return failed(anothers(target, holder))
      if (seen !== undefined && metadata.resourceVersion !== seen) return failed(changedSince(target))
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

  return {
    objects: async signal => {
      const [runs, controls] = await Promise.all([
        listRead(session, MAINTENANCE_RUNS, readMaintenanceRun, { namespace, signal }),
        listRead(session, MAINTENANCE_RUN_CONTROLS, readMaintenanceRunControl, { namespace, signal }),
      ])
      if (!runs.ok) return withoutKinds(runs)
      return controls.ok ? ok({ runs: runs.value, controls: controls.value }) : withoutKinds(controls)
    },
    run: async (name, signal) => {
      const found = await getObject(session, runNamed(name), readMaintenanceRun, signal)
      // Do not wait for a run that cannot appear.
      return found.ok || found.failure.code !== 'not-found' || isNotServed(found.failure)
        ? withoutKinds(found)
        : ok(null)
    },
    campaigns: async signal =>
      withoutKinds(await listRead(session, MAINTENANCE_CAMPAIGNS, readMaintenanceCampaign, { namespace, signal })),
    campaign: async (name, signal) => {
      const found = await getObject(session, campaignNamed(name), readMaintenanceCampaign, signal)
      return found.ok || found.failure.code !== 'not-found' || isNotServed(found.failure)
        ? withoutKinds(found)
        : ok(null)
    },
    createCampaign: ({ name, spec }, signal) =>
      create(
        campaignNamed(name),
        { ...spec, batches: spec.batches.map(withoutNulls) },
        readMaintenanceCampaign,
        signal,
      ),
    createRun: async ({ name, spec }, signal) => {
      const size = tooLarge(spec, Buffer.byteLength(JSON.stringify(spec)))
      if (size !== null) {
        const { code, ...sizes } = size
        return failed(refusal('bad-input', because(code, sizes), ofRun(name)))
      }
      if (spec.campaign !== null || spec.handedOver !== null) {
        const kept = await keepsWhole(name, spec, signal)
        if (!kept.ok) return kept
      }
      return create(runNamed(name), spec, readMaintenanceRun, signal)
    },
    createControl: ({ name, spec }, signal) => create(controlNamed(name), spec, readMaintenanceRunControl, signal),
    setRunStatus: ({ name, uid }, status, only, signal) => {
      // A printer column shows one field; "done of all" is only for display.
      const nodes = status.nodesAll === 0 ? '' : `${status.nodesDone}/${status.nodesAll}`
      return setStatus(runNamed(name), uid, { ...status, nodes }, only, signal)
    },
    setCampaignStatus: async ({ name, uid, resourceVersion }, status, signal) => {
      const { hold } = status
      const whole = {
        ...status,
        // A merge patch keeps fields that it does not name, at any depth.
        hold: hold === null ? null : { kind: hold.kind, by: hold.by ?? null, reason: hold.reason ?? null },
        batches: status.batch === 0 ? '' : `${status.batch}/${status.batchesAll}`,
        runs: `${status.runsDone + status.runsFailed}/${status.runsAll}`,
      }
      const body = { metadata: { resourceVersion }, status: emptyAsNull(whole) }
      // The resource version identifies one object, so no other can be written.
      const patch = { kind: 'merge', subresource: 'status', body, uid: null } as const
      const written = await patchObject(session, campaignNamed(name), patch, readMaintenanceCampaign, signal)
      if (written.ok && written.value.uid !== uid) return failed(recreated(campaignNamed(name)))
      if (!written.ok || isDeepStrictEqual(written.value.status, status)) return withoutKinds(written)
      return failed(
        refusal('unreadable', because('CampaignStatusLost', { campaign: name }), {
          target: `MaintenanceCampaign/${name}`,
        }),
      )
    },
    setControlStatus: ({ name, uid }, status, signal) => setStatus(controlNamed(name), uid, status, {}, signal),
    whoAmI: signal => whoAmI(session, signal),
    provesUsersSince: signal => provesUsersSince(session, signal),
    watch: createWatchTogether<RunnerObjects>({
      session,
      clock,
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
    }),
  }
}

/** The first status field that differs from what was written; null: none. */
export function notAsWritten(
  shown: Readonly<Record<string, unknown>>,
  status: Readonly<Record<string, unknown>>,
): string | null {
  const isAsWritten = (field: string, value: unknown) =>
    isDeepStrictEqual(shown[field], value) || (LATER_FIELDS.has(field) && shown[field] === undefined)
  return Object.entries(withoutNulls(status)).find(([field, value]) => !isAsWritten(field, value))?.[0] ?? null
}

/** Absent and null mean the same (docs/runner.md): an API server removes a null whose field the schema lacks. */
function withoutNulls(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

/** An empty text counts as absent: some API servers turn it into null and then reject it. */
function emptyAsNull(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value === '' ? null : (value ?? null)]),
  )
}

/** Why the kinds are missing, for the administrator who can install them. */
function withoutKinds<T>(answer: Result<T>): Result<T> {
  if (answer.ok || !isNotServed(answer.failure)) return answer
  return failed(refusal('not-found', NO_MAINTENANCE_RUNS, { detail: answer.failure.message }))
}

function anothers(target: Named, runner: string) {
  return refusal('held', because('StatusOfOtherRunner', { ...named(target), runner }), ofObject(target))
}

function changedSince(target: Named) {
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

function ofRun(name: string) {
  return { target: `MaintenanceRun/${name}` }
}
