import { z } from 'zod'
import { AgreedStart, StartAgreement } from './agreed-start.ts'
import { CODED } from './coded.ts'
import { alsoUnder } from './earlier-names.ts'
import { Estimate } from './estimate.ts'
import { Json } from './json.ts'
import { NodeRole } from './roles.ts'
import { NodeWorkGate, UpdateOptions } from './update.ts'
import type { RemarkSaid, WindowRemark } from './window-remarks.ts'

/** Side by side; the next batch starts when all of these are back. */
export const Batch = z.strictObject({ nodes: z.array(z.string().min(1)).min(1) })
export type Batch = z.infer<typeof Batch>

export const BatchOptions = z.strictObject({
  /** `one-at-a-time`: nodes of one availability zone. `spread`: of as many zones as possible. */
  zones: z.enum(['one-at-a-time', 'spread']),
  atOnce: z.partialRecord(NodeRole, z.number().int().min(1)),
})
export type BatchOptions = z.infer<typeof BatchOptions>

/** A requested node in no batch. `reasons` absent: `why` is a text of an earlier version. */
export const LeftNode = z.strictObject({
  node: z.string(),
  reasons: z.array(z.strictObject({ code: z.string(), values: z.record(z.string(), Json) })).optional(),
  why: z.string(),
})
export type LeftNode = z.infer<typeof LeftNode>

export const WindowPlan = alsoUnder(
  { waves: 'batches', pauseBetweenWaves: 'pauseBetweenBatches' },
  z.discriminatedUnion('kind', [
    /** Announced without a plan: runs are started one by one. */
    z.strictObject({ kind: z.literal('open') }),
    /** Each node is taken out, worked on and brought back, batch by batch. */
    z.strictObject({
      kind: z.literal('batches'),
      scope: z.enum(['drain', 'os']),
      batches: z.array(Batch).min(1),
      /** Chosen nodes in no batch, with the reason of that day; absent in windows of earlier versions. */
      left: z.array(LeftNode).optional(),
      wish: BatchOptions.optional(),
      work: NodeWorkGate,
      /** The minutes of work on one node; null means as measured. */
      workMinutes: z.number().positive().nullable(),
      pauseBetweenBatches: z.boolean(),
    }),
    /** The whole cluster (flavour `mosk`). */
    z.strictObject({ kind: z.literal('update'), update: UpdateOptions }),
  ]),
)
export type WindowPlan = z.infer<typeof WindowPlan>

/** Times are instants (ISO, UTC); `timeZone` is the IANA zone in which they were announced. */
export const WindowDraft = z.strictObject({
  cluster: z.string().min(1),
  title: z.string().min(1).max(200),
  /** The change in the operator's own system; empty if not given. */
  ticket: z.string().max(200),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  timeZone: z.string().min(1),
  plan: WindowPlan,
  notes: z.string().max(20_000),
})
export type WindowDraft = z.infer<typeof WindowDraft>

/** Append-only; a window is the fold of these. */
export const WindowEventBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('created'), draft: WindowDraft, by: z.string(), machine: z.string() }),
  z.strictObject({ kind: z.literal('changed'), draft: WindowDraft, by: z.string() }),
  /** Just before the window's run started: the report compares it with what happened. */
  z.strictObject({ kind: z.literal('estimated'), estimate: Estimate, by: z.string() }),
  z.strictObject({
    kind: z.literal('noted'),
    note: z.enum(['remark', 'incident']),
    text: z.string().min(1),
    by: z.string(),
  }),
  /** Written before the message, so that a crash leaves "may have been sent". */
  z.strictObject({
    kind: z.literal('notifying'),
    noticeId: z.string(),
    projectId: z.string().nullable(),
    projectName: z.string().nullable(),
    to: z.array(z.string()),
    subject: z.string(),
    digest: z.string(),
    by: z.string(),
  }),
  z.strictObject({
    kind: z.literal('notified'),
    noticeId: z.string(),
    outcome: z.enum(['sent', 'failed', 'unknown']),
    words: z.string(),
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    by: z.string(),
  }),
  StartAgreement.extend({ kind: z.literal('start-agreed') }),
  z.strictObject({ kind: z.literal('start-taken-back'), why: z.string(), ...CODED, by: z.string() }),
  /** Written before the run agreed to by event `agreed`, at the revision it read, so that only one console starts it. */
  z.strictObject({ kind: z.literal('start-taken'), agreed: z.number().int(), by: z.string(), machine: z.string() }),
  z.strictObject({
    kind: z.literal('start-missed'),
    agreed: z.number().int(),
    why: z.string(),
    ...CODED,
    by: z.string(),
  }),
  z.strictObject({ kind: z.literal('closed'), by: z.string(), summary: z.string() }),
  z.strictObject({ kind: z.literal('cancelled'), by: z.string(), why: z.string() }),
])
export type WindowEventBody = z.infer<typeof WindowEventBody>

export const WindowEvent = z.strictObject({
  seq: z.number().int(),
  windowId: z.string(),
  at: z.string(),
  body: WindowEventBody,
})
export type WindowEvent = z.infer<typeof WindowEvent>

export const MaintenanceWindow = WindowDraft.extend({
  id: z.string(),
  operator: z.string(),
  machine: z.string(),
  createdAt: z.string(),
  /** The number of its last event: a change names its revision, so that nobody overwrites another change. */
  revision: z.number().int(),
  remarks: z.array(
    z.strictObject({
      at: z.string(),
      kind: z.enum(['remark', 'incident']),
      text: z.string(),
      code: z.string().optional(),
      values: z.record(z.string(), Json).optional(),
      by: z.string(),
    }),
  ),
  estimate: z.strictObject({ at: z.string(), estimate: Estimate }).nullable(),
  start: AgreedStart.nullable(),
  closed: z.strictObject({ at: z.string(), by: z.string(), summary: z.string() }).nullable(),
  cancelled: z.strictObject({ at: z.string(), by: z.string(), why: z.string() }).nullable(),
})
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

/** `overrunning`: past its end with a run still running. `over`: past its end and not closed. */
export const WindowStatus = z.enum(['planned', 'open', 'overrunning', 'over', 'closed', 'cancelled'])
export type WindowStatus = z.infer<typeof WindowStatus>

/** `working`: one of its runs has not ended. */
export function windowStatus(
  window: Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'closed' | 'cancelled'>,
  nowMs: number,
  working: boolean,
): WindowStatus {
  if (window.cancelled !== null) return 'cancelled'
  if (window.closed !== null) return 'closed'
  if (nowMs < Date.parse(window.startsAt)) return 'planned'
  if (nowMs < Date.parse(window.endsAt)) return 'open'
  return working ? 'overrunning' : 'over'
}

export interface FoldedWindow extends Omit<MaintenanceWindow, 'remarks'> {
  readonly remarks: readonly WindowRemark[]
}

/** A window from its events; null if the first event is not its creation. */
export function foldWindow(events: readonly WindowEvent[]): FoldedWindow | null {
  const [first] = events
  if (first === undefined || first.body.kind !== 'created') return null
  let window: FoldedWindow = {
    ...first.body.draft,
    id: first.windowId,
    operator: first.body.by,
    machine: first.body.machine,
    createdAt: first.at,
    revision: first.seq,
    remarks: [],
    estimate: null,
    start: null,
    closed: null,
    cancelled: null,
  }
  for (const { seq, at, body } of events.slice(1))
    window = { ...window, ...changeOf(window, { seq, at, body }), revision: seq }
  return { ...window, remarks: withNotices(window.remarks, events) }
}

/** Adds each message to owners as one remark: its result, or that none was recorded. */
function withNotices(remarks: readonly WindowRemark[], events: readonly WindowEvent[]): readonly WindowRemark[] {
  const notices = noticesOf(events)
  if (notices.length === 0) return remarks
  const ofNotices = notices.map(
    (notice): WindowRemark => ({
      at: notice.at,
      kind: notice.outcome === 'sent' ? 'remark' : 'incident',
      by: notice.by,
      ...noticeSaid(notice),
    }),
  )
  return [...remarks, ...ofNotices].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function noticeSaid({ outcome, words, to, projectId, projectName }: OwnerNotice): RemarkSaid {
  const owners = { project: projectName ?? projectId, to }
  if (words === null) return { code: 'OwnersUnheard', values: owners }
  const code = outcome === 'sent' ? 'OwnersTold' : outcome === 'failed' ? 'OwnersNotTold' : 'OwnersMayBeTold'
  return { code, values: { ...owners, words } }
}

interface OwnerNotice {
  readonly noticeId: string
  readonly at: string
  readonly by: string
  readonly projectId: string | null
  readonly projectName: string | null
  readonly to: readonly string[]
  readonly outcome: 'sent' | 'failed' | 'unknown'
  readonly words: string | null
}

/** The messages of a window, oldest first; one without a recorded result may have been sent. */
export function noticesOf(events: readonly WindowEvent[]): readonly OwnerNotice[] {
  return events.flatMap(({ at, body }) => {
    if (body.kind !== 'notifying') return []
    const { noticeId, projectId, projectName, to, by } = body
    const end = events.find(event => event.body.kind === 'notified' && event.body.noticeId === noticeId)?.body
    const came =
      end?.kind === 'notified'
        ? { outcome: end.outcome, words: end.words }
        : { outcome: 'unknown' as const, words: null }
    return [{ noticeId, at, by, projectId, projectName, to, ...came }]
  })
}

function changeOf(window: FoldedWindow, { seq, at, body }: Omit<WindowEvent, 'windowId'>): Partial<FoldedWindow> {
  const said = (kind: 'remark' | 'incident', remark: RemarkSaid, by: string) => ({
    remarks: [...window.remarks, { at, kind, by, ...remark }],
  })
  switch (body.kind) {
    case 'created':
      return {}
    case 'changed': {
      const start = startAfterChange(window, body.draft)
      const lost = window.start !== null && start === null
      return {
        ...body.draft,
        start,
        ...(lost ? said('remark', { code: 'StartLostByChange', values: {} }, body.by) : {}),
      }
    }
    case 'estimated':
      return { estimate: { at, estimate: body.estimate } }
    case 'noted':
      return said(body.note, { code: 'Noted', values: { text: body.text } }, body.by)
    case 'notifying':
    case 'notified':
      return {}
    case 'start-agreed': {
      const { kind: _, ...agreed } = body
      const start = { ...agreed, seq, at, state: { kind: 'waits' as const } }
      return { start, ...said('remark', { code: 'StartAgreed', values: {} }, body.by) }
    }
    case 'start-taken-back':
      return { start: null, ...said('remark', { code: 'StartTakenBack', values: { why: body.why } }, body.by) }
    case 'start-taken': {
      const { start } = window
      if (start?.seq !== body.agreed) return {}
      const taken = { kind: 'taken' as const, at, by: body.by, machine: body.machine }
      const values = { machine: body.machine, agreedBy: start.by, agreedAt: start.at }
      return {
        start: { ...start, state: taken },
        ...said('remark', { code: 'StartedByItself', values }, body.by),
      }
    }
    case 'start-missed': {
      const { start } = window
      if (start?.seq !== body.agreed) return {}
      const { code, values } = body
      const coded = code === undefined || values === undefined ? {} : { code, values }
      const missed = { kind: 'missed' as const, at, why: body.why, ...coded }
      return {
        start: { ...start, state: missed },
        ...said('incident', { code: 'StartMissed', values: { why: body.why } }, body.by),
      }
    }
    case 'closed':
      return { closed: { at, by: body.by, summary: body.summary } }
    case 'cancelled':
      return { cancelled: { at, by: body.by, why: body.why } }
  }
}

/** An agreement is for certain work at a certain time: a change of either ends it. */
function startAfterChange(before: FoldedWindow, draft: WindowDraft): AgreedStart | null {
  const { start } = before
  if (start?.state.kind !== 'waits') return start
  return whatIsAnnounced(before) === whatIsAnnounced(draft) ? start : null
}

/** Everything announced except its notes. */
export function whatIsAnnounced({ cluster, startsAt, endsAt, title, ticket, plan }: WindowDraft): string {
  return JSON.stringify([cluster, startsAt, endsAt, title, ticket, plan])
}
