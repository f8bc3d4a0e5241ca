import { describe, expect, test, vi } from 'vitest'
import { htmlInPieces, REPORT_ELEMENT_ID, reportHtml } from '../../../main/reports/html.ts'
import { remainsOf } from '../../../main/reports/section-nodes.ts'
import { must } from '../../../shared/domain/must.ts'
import { Report } from '../../../shared/domain/report.ts'
import { ill } from '../../fixtures/reports/ill-formed.ts'
import { largeReport, movedInstance, richReport, smallReport } from '../../fixtures/reports/sample-report.ts'
import { interruptedReport, redactedReport } from '../../fixtures/reports/sample-variants.ts'

const ALL: readonly (readonly [name: string, report: Report])[] = [
  ['rich', richReport()],
  ['small', smallReport()],
  ['interrupted', interruptedReport()],
  ['redacted', redactedReport()],
  ['large', largeReport(60, 500)],
]

/** The page without what it carries for machines. */
function seen(html: string): string {
  return html.replace(/<script[\s\S]*?<\/script>/, '').replace(/<style>[\s\S]*?<\/style>/, '')
}

/** The texts of a page, as a reader sees them. */
function textOf(html: string): string {
  return seen(html)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

describe.each(ALL)('the page of a %s report', (_name, report) => {
  const html = reportHtml(report)

  test('is one a sample of which the contract holds', () => {
    expect(Report.parse(report)).toEqual(report)
  })

  test('loads nothing: no address of another machine, no script, no frame, no style from elsewhere', () => {
    const addresses = [...seen(html).matchAll(/\s(?:href|src)="([^"]*)"|url\(([^)]*)\)/g)].map(
      ([, address, paint]) => address ?? paint,
    )
    expect(addresses.filter(address => !address?.startsWith('#'))).toEqual([])
    expect(seen(html)).not.toMatch(/<(?:script|link|iframe|object|embed|base|img)\b|\son\w+=|javascript:/i)
    expect(html).not.toMatch(/@import|url\(\s*["']?(?!#)/)
    expect(html).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;; img-src data:;`,
    )
  })

  test('is well-formed: every element that opens closes, in order', () => {
    expect(ill(html)).toEqual([])
  })

  test('has one first heading, and never skips a level below it', () => {
    const levels = [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))
    expect(levels.filter(level => level === 1)).toEqual([1])
    expect(levels.filter((level, at) => at > 0 && level > (levels[at - 1] ?? 0) + 1)).toEqual([])
  })

  test('names every table, and no id twice', () => {
    expect(html.match(/<table\b/g)?.length ?? 0).toBe(html.match(/<caption>[^<]+<\/caption>/g)?.length ?? 0)
    const ids = [...seen(html).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('has every node and every instance by name and id', () => {
    const text = textOf(html)
    for (const { node } of report.nodes) expect(text).toContain(node)
    const missing = report.instances.filter(({ id, name }) => !text.includes(id) || !text.includes(name))
    expect(missing).toEqual([])
  })

  test('carries the report, so that it can be verified', () => {
    expect(Report.parse(JSON.parse(carriedBy(html)))).toEqual(report)
  })

  test('is the same each time it is made', () => {
    expect(reportHtml(report)).toBe(html)
  })
})

test('making a page prints nothing on the terminal, even with repeated keys', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const rich = richReport()
  const twice = <T>(list: readonly T[]) => [...list, ...list]
  reportHtml({
    ...rich,
    summary: { ...rich.summary, lines: twice(rich.summary.lines) },
    runs: twice(rich.runs),
    instances: twice(rich.instances),
    pods: twice(rich.pods),
    requests: twice(rich.requests),
    versions: twice(rich.versions),
  })
  expect(said).not.toHaveBeenCalled()
  said.mockRestore()
})

function carriedBy(html: string): string {
  const pattern = new RegExp(`<script type="application/json" id="${REPORT_ELEMENT_ID}">([^<]*)</script>`)
  return must(pattern.exec(html)?.[1], 'the page carries the report')
}

describe('names that somebody else chose', () => {
  const EVIL = `</script></style><img src=x onerror="alert(1)">&'"\u2028\\"]]>-->`
  const evil = (): Report => {
    const rich = richReport()
    return {
      ...rich,
      title: EVIL,
      cluster: { ...rich.cluster, name: EVIL },
      window: rich.window === null ? null : { ...rich.window, title: EVIL, notes: EVIL, timeZone: EVIL },
      summary: { ...rich.summary, headline: EVIL, lines: [EVIL] },
      instances: [movedInstance(1, EVIL, { name: EVIL, words: EVIL, reason: EVIL, attempts: 3 })],
      nodes: rich.nodes.map(node => ({ ...node, node: `${EVIL}${node.node}` })),
      timeline: {
        ...rich.timeline,
        lanes: rich.timeline.lanes.map(lane => ({ ...lane, node: `${EVIL}${lane.node}`, group: EVIL })),
      },
    }
  }

  test('are text wherever they stand: in titles, tables, the picture, the foot of the page and the data', () => {
    const html = reportHtml(evil())
    expect(html).not.toContain('<img')
    expect(html.match(/<\/script/g)).toHaveLength(1)
    expect(html.match(/<\/style/g)).toHaveLength(1)
    expect(ill(html)).toEqual([])
    expect(textOf(html)).toContain(`onerror="alert(1)">`)
    expect(JSON.parse(carriedBy(html))).toEqual(evil())
  })

  test('do not leave the foot of the printed page, which is a text of the style sheet', () => {
    const foot = must(/@bottom-left \{ content: "([^"]*)";/.exec(reportHtml(evil()))?.[1], 'a foot')
    expect(foot).toMatch(/^[A-Za-z0-9 \\]*$/)
  })
})

describe('the first page', () => {
  test('says how it went as a word, the headline, four figures, the timeline and what remains; proofs come after it', () => {
    const report = richReport()
    const [cover = '', appendix = ''] = textOf(reportHtml(report)).split('Appendix: identifiers and proofs')
    expect(cover.indexOf('Timeline')).toBeLessThan(cover.indexOf('What remains to be done'))
    expect(
      cover.match(/Nodes done|Instances moved|Downtime seen, all|Incidents|Pods evicted|Checks overridden/g),
    ).toHaveLength(4)
    for (const wanted of ['Done', report.summary.headline, ...report.summary.lines, 'CHG-20419', '6 of 6']) {
      expect(cover).toContain(wanted)
    }
    expect(cover).not.toContain(report.chain.after)
    expect(appendix).toContain(report.chain.after)
  })

  test('says which nodes and instances are left to see to, or that none is', () => {
    const rich = richReport()
    const nodes = rich.nodes.map((node, at) => ({
      ...node,
      outcome: at === 0 ? ('in-maintenance' as const) : ('back' as const),
    }))
    const failed = [movedInstance(1, 'cmp-1', { name: 'db-01', outcome: 'failed' })]
    expect(remainsOf({ nodes, instances: failed })).toEqual([
      `1 node in maintenance: ${nodes[0]?.node}.`,
      '1 instance could not be moved: db-01.',
    ])
    const none = { ...rich, nodes: nodes.slice(1), instances: [], damage: [] }
    expect(textOf(reportHtml(none))).toContain(
      'Nothing: every node is back in service, and no instance waits for a person.',
    )
    expect(textOf(reportHtml({ ...none, damage: ['Entry 17 is not what was written.'] }))).toContain(
      'Unknown: Lockkeeper could not read part of the journal.',
    )
  })

  test('gives times in the window’s zone and in UTC, with the day of both where it differs', () => {
    const cover = textOf(reportHtml(richReport()))
    expect(cover).toContain('2026-11-22 22:00:00 21:00:00 UTC')
    expect(cover).toContain('2026-11-23 00:00:00 2026-11-22 23:00:00 UTC')
    expect(cover).toContain('Europe/Berlin')
  })

  test('gives UTC alone where there is no window, and says why it was started outside any', () => {
    const text = textOf(reportHtml(smallReport()))
    expect(text).toContain('All times are UTC.')
    expect(text).toContain('started outside any window, because fan of cmp-rack1-01 fails')
  })

  test('reads a zone that this machine does not know as UTC', () => {
    const rich = richReport()
    const report = { ...rich, window: rich.window === null ? null : { ...rich.window, timeZone: 'Mars/Olympus' } }
    expect(textOf(reportHtml(report))).toContain('All times are UTC.')
  })

  test.each([
    [interruptedReport(), 'Interrupted: no console carries out run run-0197f3c2'],
    [redactedReport(), 'Redacted. Names of instances and projects are replaced'],
    [{ ...richReport(), damage: ['Entry 17 is not what was written.'] }, 'The journal is damaged.'],
    [
      { ...richReport(), completeness: { kind: 'under-way', words: 'Under way: batch 2 has begun.' } as const },
      'Under way: batch 2 has begun.',
    ],
  ])('warns before anything else: %#', (report, warning) => {
    const text = textOf(reportHtml(report))
    expect(text).toContain(warning)
    expect(text.indexOf(warning)).toBeLessThan(text.indexOf('Nodes done'))
    expect(textOf(reportHtml(richReport()))).not.toContain(warning)
  })

  test('says by how much work went past the window’s end', () => {
    const rich = richReport()
    const report = { ...rich, window: rich.window === null ? null : { ...rich.window, overranMs: 754_000 } }
    expect(textOf(reportHtml(report))).toContain('12 min 34 s late')
  })
})

describe('the parts', () => {
  test('that are empty say so in one line', () => {
    const text = textOf(reportHtml(smallReport()))
    for (const line of [
      'No instance was moved, stopped or left on its node.',
      'No pod was evicted.',
      'this cloud has no node maintenance API.',
      'No run changed a flag of Ceph.',
      'Every check passed.',
      'Nothing was estimated before the work began.',
      'Nobody changed anything by hand.',
    ]) {
      expect(text).toContain(line)
    }
  })

  test('tell first of instances that failed, waited or were stopped, and of each once', () => {
    const report = richReport()
    const text = textOf(reportHtml(report))
    const place = (at: number) => text.indexOf(report.instances[at]?.id ?? '?', text.indexOf('40 instances:'))
    expect([17, 13, 11, 7, 0].map(place)).toEqual([17, 13, 11, 7, 0].map(place).sort((a, b) => a - b))
    const body = text.slice(
      text.indexOf('40 instances:'),
      text.indexOf('Pods and budgets', text.indexOf('40 instances:')),
    )
    for (const { id } of report.instances) expect(body.split(id)).toHaveLength(2)
  })

  test('label the vendor’s figures as theirs, with both readings, beside ours and what happened', () => {
    const text = textOf(reportHtml(richReport()))
    for (const words of ['1 h 24 min', '1 h 10 min to 1 h 35 min', '1 h 50 min', '2 h 30 min']) {
      expect(text).toContain(words)
    }
    expect(text).toContain("These are the vendor's own figures, not measured here.")
  })

  test('name who overrode a check and why', () => {
    expect(textOf(reportHtml(richReport()))).toContain('r.kowalski --allow-downtime agreed with its owner, CHG-20419')
  })

  test('tell a budget that refused three times for the same reason once, with how often', () => {
    expect(textOf(reportHtml(richReport()))).toContain(
      'Budget openstack/rabbitmq needs 3 healthy pods and has 3. (3 times, 2026-11-22 22:20:00 to 2026-11-22 22:24:00)',
    )
  })
})

describe('the picture of the timeline', () => {
  test('has the phases, the groups, the window’s end, hatched waits and a legend of what is in it', () => {
    const html = reportHtml(richReport())
    const text = textOf(html)
    for (const words of ['Batch 1', 'Batch 2', 'window ends 00:00', 'waits', 'tried again']) {
      expect(text).toContain(words)
    }
    expect(html).toMatch(/fill="url\(#hatch[a-zA-Z0-9]*\)"/)
    expect(text).not.toContain('skipped')
  })

  test('shows the present only while something runs', () => {
    expect(textOf(reportHtml(interruptedReport()))).toContain('report made 22:58')
    expect(textOf(reportHtml(richReport()))).not.toContain('report made')
  })

  test('comes in parts that fit on paper, and each part is named', () => {
    const parts = reportHtml(largeReport(60, 60)).match(/aria-label="[^"]*, part \d of 5"/g)
    expect(parts).toHaveLength(5)
  })
})

test('a report of hundreds of instances is drawn some rows at a time, and no row is lost or moved', () => {
  const report = largeReport(60, 500)
  const pieces = [...htmlInPieces(report)]
  expect(pieces.length).toBeGreaterThan(500 / 40)
  const html = reportHtml(report)
  expect(html).not.toContain('data-later')
  const at = report.instances.map(({ id }) => html.indexOf(id))
  expect(Math.min(...at)).toBeGreaterThan(0)
})
