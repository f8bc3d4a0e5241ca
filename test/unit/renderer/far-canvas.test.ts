import { expect, test } from 'vitest'
import { shortened } from '../../../renderer/features/topology/far-canvas.tsx'

const LETTER = 7
/** Every letter as wide as the next. */
const pen = { measureText: (text: string) => ({ width: text.length * LETTER }) as TextMetrics }

test.each([
  ['rack1-compute-01.dc1.example.net', 40, 'rack1-compute-01.dc1.example.net'],
  ['rack1-compute-01.dc1.example.net', 20, 'rack1-compute-01'],
  ['rack1-compute-01.dc1.example.net', 12, 'rack1…ute-01'],
  ['rack1-compute-02.dc1.example.net', 12, 'rack1…ute-02'],
  ['rack1-compute-02.dc1.example.net', 3, 'ute-02'],
  ['192.0.2.141', 9, '19….2.141'],
])(
  'the painted name of %s, with room for %i letters, is %s: the domain goes first, and the end stays',
  (name, room, painted) => {
    expect(shortened(pen, name, room * LETTER)).toBe(painted)
  },
)
