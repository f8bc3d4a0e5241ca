import { describe, expect, it } from 'vitest'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { vendorEstimate, vendorInputsOf, whyNoVendorEstimate } from '../../../shared/domain/vendor-estimate.ts'
import { figureFaultWords, wordedVendorEstimate } from '../../../shared/words/vendor-estimates.ts'

const CHECKED = {
  instancesPerCompute: 20,
  computes: 10,
  gateways: 2,
  controlPlaneNodes: 3,
  workers: 15,
  reboots: true,
} as const

/** docs/domain.md A.7, with its check value. */
describe("the vendor's formula", () => {
  it.each([
    ['with restarts', true, 1054.92],
    ['without restarts', false, 254.92],
  ])('comes to the value the page was checked with, %s', (_what, reboots, minutes) => {
    expect(vendorEstimate({ ...CHECKED, reboots }, 'scope').readings[0]?.totalMinutes).toBeCloseTo(minutes, 2)
  })

  it('is given in both readings of its line about Ceph, which differ by 35 minutes', () => {
    const [least, most] = vendorEstimate(CHECKED, 'scope').readings.map(({ totalMinutes }) => totalMinutes)
    expect((most ?? 0) - (least ?? 0)).toBeCloseTo(35, 6)
  })

  it.each([
    ['instancesPerCompute', 21, (0.78 * 12) / 60],
    ['computes', 11, (0.78 * 20 + 359) / 60 + 20],
    ['gateways', 3, (0.78 * 20 + 359) / 60],
    ['controlPlaneNodes', 4, 15],
    ['workers', 16, 40],
  ] as const)('one more of %s adds what its lines say', (letter, value, more) => {
    const total = (inputs: typeof CHECKED | (typeof CHECKED & Record<string, number>)) =>
      vendorEstimate(inputs, 'scope').readings[0]?.totalMinutes ?? 0
    expect(total({ ...CHECKED, [letter]: value }) - total(CHECKED)).toBeCloseTo(more, 6)
  })

  it('names its letters, and says whose it is and that it leaves Tungsten Fabric out', () => {
    const { inputs, source, notes } = wordedVendorEstimate(vendorEstimate(CHECKED, 'scope'))
    expect(inputs).toEqual({ D: 20, NC: 10, NG: 2, NKC: 3, NKM: 15, RE: 1 })
    expect(source).toContain('Mirantis')
    expect(notes.join(' ')).toContain('Tungsten Fabric')
  })

  it.each([
    [true, 'scope', 'it is 1 because the scope is os'],
    [false, 'scope', 'it is 0 because the scope is drain'],
    [true, 'typed', 'it is 1 as typed'],
    [false, 'typed', 'it is 0 as typed'],
  ] as const)('says where its restart comes from: %s by %s', (reboots, by, words) => {
    const notes = wordedVendorEstimate(vendorEstimate({ ...CHECKED, reboots }, by)).notes.join(' ')
    expect(notes).toContain(words)
    expect(notes.includes('the scope is')).toBe(by === 'scope')
  })

  it('stages of every reading add up to its total', () => {
    for (const { stages, totalMinutes } of vendorEstimate(CHECKED, 'scope').readings) {
      expect(stages.reduce((sum, { minutes }) => sum + minutes, 0)).toBeCloseTo(totalMinutes, 9)
    }
  })
})

describe('figures that are typed', () => {
  const FIGURES = { 'instances-per-compute': 25, computes: 20, gateways: 2, masters: 3, workers: 25, restart: 1 }
  it('are the letters of the formula, all of them', () => {
    expect(vendorInputsOf(new Map(Object.entries(FIGURES)))).toEqual({
      instancesPerCompute: 25,
      computes: 20,
      gateways: 2,
      controlPlaneNodes: 3,
      workers: 25,
      reboots: true,
    })
  })

  it.each([
    [{ ...FIGURES, computes: -1 }, 'The formula needs a number, 0 or more, for computes.'],
    [{ ...FIGURES, restart: 2 }, 'restart is 1 when nodes are restarted, else 0.'],
    [{ ...FIGURES, workers: 2.5 }, 'workers: whole numbers only.'],
    [
      { ...FIGURES, racks: 2 },
      'Unknown figures: racks. The formula has instances-per-compute, computes, gateways, masters, workers, restart.',
    ],
    [
      { computes: 2 },
      'The formula needs a number, 0 or more, for instances-per-compute, gateways, masters, workers, restart.',
    ],
  ])('%j are refused by name', (figures, why) => {
    const read = vendorInputsOf(new Map(Object.entries(figures)))
    expect('code' in read ? figureFaultWords(read) : null).toBe(why)
  })
})

it('of a cloud with Tungsten Fabric the vendor’s formula says nothing: its source leaves it out', () => {
  const controllers = { ...DEFAULT_MAINTENANCE_API.controllers, tungstenfabric: 'cluster' } as const
  const cloud = { flavour: 'mosk', maintenanceApi: { ...DEFAULT_MAINTENANCE_API, controllers } } as const
  expect(whyNoVendorEstimate(cloud)?.code).toBe('VendorWithoutTungstenFabric')
  expect(whyNoVendorEstimate({ ...cloud, maintenanceApi: DEFAULT_MAINTENANCE_API })).toBeNull()
})
