import { z } from 'zod'
import { alsoUnder } from './earlier-names.ts'
import { Json } from './json.ts'

/** What a text says, by its code, with what the text names (shared/domain/estimate-findings.ts). */
const Said = z.strictObject({ code: z.string(), values: z.record(z.string(), Json) })

/** The same beside the text itself; absent: it is of an earlier version. */
const said = Said.partial().shape

/** From the usual time to what nine in ten stay below, in milliseconds. */
export const Span = z.strictObject({ lowMs: z.number().nonnegative(), highMs: z.number().nonnegative() })
export type Span = z.infer<typeof Span>

/** One reading of the vendor's formula (docs/domain.md A.7): its line about Ceph can be read in two ways. */
const VendorReading = z.strictObject({
  /** How the ambiguous line was read, in words. */
  reading: z.string(),
  /** The same by its code; absent: it is of an earlier version. */
  code: z.string().optional(),
  stages: z.array(z.strictObject({ stage: z.string(), code: z.string().optional(), minutes: z.number() })),
  totalMinutes: z.number(),
})

/** The vendor's figure for an update, labelled as theirs. */
export const VendorEstimate = z.strictObject({
  /** D, NC, NG, NKC, NKM, RE of the formula, by these names. */
  inputs: z.record(z.string(), z.number()),
  readings: z.array(VendorReading),
  source: z.string(),
  /** What it does not cover, such as Tungsten Fabric. */
  notes: z.array(z.string()),
  /** The same by codes; absent: it is of an earlier version. */
  noted: z.array(Said).optional(),
})
export type VendorEstimate = z.infer<typeof VendorEstimate>

/** What one node may take, by parts; null: nothing was measured and nothing was said. */
export const NodeEstimate = alsoUnder(
  { wave: 'batch' },
  z.strictObject({
    node: z.string(),
    /** Counted from 1. */
    batch: z.number().int(),
    evacuation: Span.nullable(),
    drain: Span.nullable(),
    work: Span.nullable(),
    back: Span.nullable(),
    /** Somewhat more than its parts: what lies between them is measured too. */
    total: Span.nullable(),
    /** What the figures are taken from. */
    basis: z.string(),
    ...said,
  }),
)
export type NodeEstimate = z.infer<typeof NodeEstimate>

/** Our own estimate, from what was measured on this cluster. */
export const OwnEstimate = alsoUnder(
  { waves: 'batches' },
  z.strictObject({
    nodes: z.array(NodeEstimate),
    /** Batch by batch, the nodes of one side by side. */
    batches: z.array(alsoUnder({ wave: 'batch' }, z.strictObject({ batch: z.number().int(), span: Span.nullable() }))),
    total: Span.nullable(),
    basis: z.string(),
    ...said,
    /** What could not be estimated, and why. */
    missing: z.array(z.string()),
    /** The same by codes; absent: it is of an earlier version. */
    gaps: z.array(Said).optional(),
  }),
)
export type OwnEstimate = z.infer<typeof OwnEstimate>

/** How long a window's work may take. */
export const Estimate = z.strictObject({
  madeAt: z.string(),
  /** Null where the formula is not about this cluster (flavour, or not an update with reboots). */
  vendor: VendorEstimate.nullable(),
  own: OwnEstimate,
})
export type Estimate = z.infer<typeof Estimate>

/** How an end compares with the window's. */
export const TimeVerdict = z.enum(['in-time', 'may-overrun', 'overruns', 'not-known'])
export type TimeVerdict = z.infer<typeof TimeVerdict>

/** When work will be over: from the usual to what nine in ten stay below. */
export const EndEstimate = z.strictObject({
  lowAt: z.string(),
  highAt: z.string(),
  /** What it is taken from, in words. */
  basis: z.string(),
  /** The same by codes; absent: it is of an earlier version. */
  reasonsGiven: z.array(Said).optional(),
})
export type EndEstimate = z.infer<typeof EndEstimate>

/** Where a window's work is heading, now. */
export const WindowForecast = z.strictObject({
  windowId: z.string(),
  readAt: z.string(),
  endsAt: z.string(),
  eta: EndEstimate.nullable(),
  verdict: TimeVerdict,
  /** Nodes not begun yet that would have to be left out to end in time, last first; empty when none or when that does not help. */
  leaveOut: z.array(z.string()),
  words: z.string(),
  ...said,
  /** What `words` says besides, by codes. */
  notes: z.array(Said).optional(),
})
export type WindowForecast = z.infer<typeof WindowForecast>
