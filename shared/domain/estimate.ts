import { z } from 'zod'
import { alsoUnder } from './earlier-names.ts'
import { Json } from './json.ts'

const Said = z.strictObject({ code: z.string(), values: z.record(z.string(), Json) })

const said = Said.partial().shape

/** From the usual time to the 90th percentile, in milliseconds. */
export const Span = z.strictObject({ lowMs: z.number().nonnegative(), highMs: z.number().nonnegative() })
export type Span = z.infer<typeof Span>

/** One reading of the vendor's formula (docs/domain.md A.7): its line about Ceph has two. */
const VendorReading = z.strictObject({
  reading: z.string(),
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
  noted: z.array(Said).optional(),
})
export type VendorEstimate = z.infer<typeof VendorEstimate>

/** How long one node may take, by parts; null if nothing was measured or given. */
export const NodeEstimate = alsoUnder(
  { wave: 'batch' },
  z.strictObject({
    node: z.string(),
    batch: z.number().int(),
    evacuation: Span.nullable(),
    drain: Span.nullable(),
    work: Span.nullable(),
    back: Span.nullable(),
    /** More than its parts, because the time between them is measured too. */
    total: Span.nullable(),
    basis: z.string(),
    ...said,
  }),
)
export type NodeEstimate = z.infer<typeof NodeEstimate>

export const OwnEstimate = alsoUnder(
  { waves: 'batches' },
  z.strictObject({
    nodes: z.array(NodeEstimate),
    batches: z.array(alsoUnder({ wave: 'batch' }, z.strictObject({ batch: z.number().int(), span: Span.nullable() }))),
    total: Span.nullable(),
    basis: z.string(),
    ...said,
    missing: z.array(z.string()),
    gaps: z.array(Said).optional(),
  }),
)
export type OwnEstimate = z.infer<typeof OwnEstimate>

export const Estimate = z.strictObject({
  madeAt: z.string(),
  /** Null if the formula does not apply (flavour, or not an update with reboots). */
  vendor: VendorEstimate.nullable(),
  own: OwnEstimate,
})
export type Estimate = z.infer<typeof Estimate>

export const TimeVerdict = z.enum(['in-time', 'may-overrun', 'overruns', 'not-known'])
export type TimeVerdict = z.infer<typeof TimeVerdict>

export const EndEstimate = z.strictObject({
  lowAt: z.string(),
  highAt: z.string(),
  basis: z.string(),
  reasonsGiven: z.array(Said).optional(),
})
export type EndEstimate = z.infer<typeof EndEstimate>

export const WindowForecast = z.strictObject({
  windowId: z.string(),
  readAt: z.string(),
  endsAt: z.string(),
  eta: EndEstimate.nullable(),
  verdict: TimeVerdict,
  /** Nodes not started that must be left out to end in time, last first; empty if there is none, or it does not help. */
  leaveOut: z.array(z.string()),
  words: z.string(),
  ...said,
  notes: z.array(Said).optional(),
})
export type WindowForecast = z.infer<typeof WindowForecast>
