import { z } from 'zod'
import { AgreedStart, StartAgreement } from './agreed-start.ts'
import { CODED } from './coded.ts'
import { alsoUnder } from './earlier-names.ts'
import { Estimate } from './estimate.ts'
import { Json } from './json.ts'
import { NodeRole } from './roles.ts'
import { NodeWorkGate, UpdateOptions } from './update.ts'
import type { RemarkSaid, WindowRemark } from './window-remarks.ts'

/** Nodes that are worked on side by side; the next batch begins when all of them are back. */
export const Batch = z.strictObject({ nodes: z.array(z.string().min(1)).min(1) })
export type Batch = z.infer<typeof Batch>

/** How batches are to be made. */
export const BatchOptions = z.strictObject({
  /** `one-at-a-time`: a batch holds nodes of one availability zone. `spread`: it takes from as many zones as it can. */
  zones: z.enum(['one-at-a-time', 'spread']),
  /** Nodes of a role at once; a role left out: as the cluster's settings have it. */
  atOnce: z.partialRecord(NodeRole, z.number().int().min(1)),
})
export type BatchOptions = z.infer<typeof BatchOptions>

/** What is to be done within a window. */
export const WindowPlan = alsoUnder(
  { waves: 'batches', pauseBetweenWaves: 'pauseBetweenBatches' },
  z.discriminatedUnion('kind', [
    /** Announced without a plan: runs are started one by one. */
    z.strictObject({ kind: z.literal('open') }),
    /** Each node enters maintenance, is worked on and returns, batch by batch. */
    z.strictObject({
      kind: z.literal('batches'),
      scope: z.enum(['drain', 'os']),
      batches: z.array(Batch).min(1),
      /** By what the batches were made and are judged when they are looked at again; absent: by the cluster's settings, a zone at a time. */
      wish: BatchOptions.optional(),
      work: NodeWorkGate,
      /** How long the work on one node takes, as the operator expects it, in minutes; null: as it was measured. */
      workMinutes: z.number().positive().nullable(),
      pauseBetweenBatches: z.boolean(),
    }),
    /** The five-phase update of the whole cluster (flavour `mosk`). */
    z.strictObject({ kind: z.literal('update'), update: UpdateOptions }),
  ]),
)
export type WindowPlan = z.infer<typeof WindowPlan>

/** What an operator says of a window. Times are instants (ISO, UTC); `timeZone` is the IANA zone in which they were announced. */
export const WindowDraft = z.strictObject({
  cluster: z.string().min(1),
  title: z.string().min(1).max(200),
  /** Number or address of the change in the operator's own system; empty: none. */
  ticket: z.string().max(200),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  timeZone: z.string().min(1),
  plan: WindowPlan,
  notes: z.string().max(20_000),
})
export type WindowDraft = z.infer<typeof WindowDraft>

/** Something that happened to a window: append-only, like events of runs; a window is the fold of these. */
export const WindowEventBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('created'), draft: WindowDraft, by: z.string(), machine: z.string() }),
  z.strictObject({ kind: z.literal('changed'), draft: WindowDraft, by: z.string() }),
  /** The estimate as it stood when the window's run was about to start: what the report holds against what happened. */
  z.strictObject({ kind: z.literal('estimated'), estimate: Estimate, by: z.string() }),
  /** What an operator saw: an `incident` is in the report's list of incidents. */
  z.strictObject({
    kind: z.literal('noted'),
    note: z.enum(['remark', 'incident']),
    text: z.string().min(1),
    by: z.string(),
  }),
  /** A message to the owners of a project is about to be sent: written before, so that a kill leaves "may have been sent". */
  z.strictObject({
    kind: z.literal('notifying'),
    noticeId: z.string(),
    projectId: z.string().nullable(),
    projectName: z.string().nullable(),
    to: z.array(z.string()),
    subject: z.string(),
    /** SHA-256 of what it said. */
    digest: z.string(),
    by: z.string(),
  }),
  /** What came of it. */
  z.strictObject({
    kind: z.literal('notified'),
    noticeId: z.string(),
    outcome: z.enum(['sent', 'failed', 'unknown']),
    words: z.string(),
    /** The code and values of `words`; absent: an earlier version wrote it. */
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    by: z.string(),
  }),
  /** It is to start by itself at its beginning. */
  StartAgreement.extend({ kind: z.literal('start-agreed') }),
  z.strictObject({ kind: z.literal('start-taken-back'), why: z.string(), ...CODED, by: z.string() }),
  /** A console is about to start what was agreed to by the event `agreed`: written first, at the revision that was looked at, so that of two one does. */
  z.strictObject({ kind: z.literal('start-taken'), agreed: z.number().int(), by: z.string(), machine: z.string() }),
  /** It did not start by itself: why, and what can be done. */
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

/** A maintenance window: announced work on one cluster. */
export const MaintenanceWindow = WindowDraft.extend({
  id: z.string(),
  operator: z.string(),
  machine: z.string(),
  createdAt: z.string(),
  /** The number of its last event: a change names the revision it was made from, so that nobody overwrites another's. */
  revision: z.number().int(),
  remarks: z.array(
    z.strictObject({
      at: z.string(),
      kind: z.enum(['remark', 'incident']),
      text: z.string(),
      /** What the text says, by its code (shared/domain/window-remarks.ts). */
      code: z.string().optional(),
      values: z.record(z.string(), Json).optional(),
      by: z.string(),
    }),
  ),
  estimate: z.strictObject({ at: z.string(), estimate: Estimate }).nullable(),
  /** Whether it starts by itself; null: somebody starts it. */
  start: AgreedStart.nullable(),
  closed: z.strictObject({ at: z.string(), by: z.string(), summary: z.string() }).nullable(),
  cancelled: z.strictObject({ at: z.string(), by: z.string(), why: z.string() }).nullable(),
})
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

/** Where a window stands. `overrunning`: its end is past and a run of it still goes on. `over`: its end is past and nobody closed it. */
export const WindowStatus = z.enum(['planned', 'open', 'overrunning', 'over', 'closed', 'cancelled'])
export type WindowStatus = z.infer<typeof WindowStatus>

/** Where a window stands at a time; `working`: a run that belongs to it is not over. */
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

/** A window with its remarks by code, without the words for them. */
export interface FoldedWindow extends Omit<MaintenanceWindow, 'remarks'> {
  readonly remarks: readonly WindowRemark[]
}

/** A window as the fold of its events; null when the first is not its creation. */
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

/** What is told of messages to owners stands among the remarks, once each: as what came of it, or that nothing was heard. */
function withNotices(remarks: readonly WindowRemark[], events: readonly WindowEvent[]): readonly WindowRemark[] {
  const notices = noticesOf(events)
  if (notices.length === 0) return remarks
  const reported = notices.map(
    (notice): WindowRemark => ({
      at: notice.at,
      kind: notice.outcome === 'sent' ? 'remark' : 'incident',
      by: notice.by,
      ...noticeSaid(notice),
    }),
  )
  return [...remarks, ...reported].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function noticeSaid({ outcome, words, to, projectId, projectName }: OwnerNotice): RemarkSaid {
  const owners = { project: projectName ?? projectId, to }
  if (words === null) return { code: 'OwnersUnheard', values: owners }
  const code = outcome === 'sent' ? 'OwnersTold' : outcome === 'failed' ? 'OwnersNotTold' : 'OwnersMayBeTold'
  return { code, values: { ...owners, words } }
}

/** A message to owners as the journal tells of it. */
interface OwnerNotice {
  readonly noticeId: string
  readonly at: string
  readonly by: string
  readonly projectId: string | null
  readonly projectName: string | null
  readonly to: readonly string[]
  readonly outcome: 'sent' | 'failed' | 'unknown'
  /** What came of it; null: nothing was heard of it after it was begun. */
  readonly words: string | null
}

/** Every message of a window, oldest first; one of which nothing was heard after it was begun may have been sent. */
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
      const reported = code === undefined || values === undefined ? {} : { code, values }
      const missed = { kind: 'missed' as const, at, why: body.why, ...reported }
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

/** What was agreed to, was agreed of what is done and when: once that changes, somebody has to look again. */
function startAfterChange(before: FoldedWindow, draft: WindowDraft): AgreedStart | null {
  const { start } = before
  if (start?.state.kind !== 'waits') return start
  return whatIsAnnounced(before) === whatIsAnnounced(draft) ? start : null
}

/** What is done in a window and when, to be compared: all that is announced of it but its notes. */
export function whatIsAnnounced({ cluster, startsAt, endsAt, title, ticket, plan }: WindowDraft): string {
  return JSON.stringify([cluster, startsAt, endsAt, title, ticket, plan])
}
