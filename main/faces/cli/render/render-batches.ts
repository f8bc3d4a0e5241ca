import type { BatchCapacity, JudgedBatches } from '../../../../shared/domain/batches.ts'
import { assertNever } from '../../../../shared/domain/must.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'

/** Maximum number of instances without room that are listed. */
const NAMED = 10

/** Batches as a table, then broken rules, nodes left out, and the applied rules. */
export function renderBatches({ batches, left, rules }: JudgedBatches, look: Look): readonly string[] {
  const { palette, columns } = look
  const notes = batches.flatMap(({ problems, capacity }, at) => [
    ...problems.flatMap(({ weight, words }) =>
      hang(`Batch ${at + 1}  `, `${weight === 'hard' ? 'breaks a rule' : 'not as wished'}: ${words}`, columns).map(
        weight === 'hard' ? palette.bad : palette.warn,
      ),
    ),
    ...capacityLines(capacity).flatMap(text => hang(`Batch ${at + 1}  `, text, columns).map(palette.warn)),
  ])
  return [
    ...(batches.length === 0
      ? ['These nodes cannot form a batch.']
      : renderTable(
          ['BATCH', 'ZONE', 'MOVES', 'CAPACITY', 'NODES'],
          batches.map(({ nodes, zones, capacity, problems }, at) => [
            String(at + 1),
            zones.join(',') || '-',
            capacity.kind === 'cannot-tell' && capacity.moving === 0 ? '?' : String(capacity.moving),
            { text: kindWords(capacity), paint: paintOf(capacity, look) },
            {
              text: nodes.join(', '),
              paint: problems.some(({ weight }) => weight === 'hard') ? palette.bad : palette.strong,
            },
          ]),
          look,
        )),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(left.length === 0
      ? []
      : [
          '',
          palette.warn(`In no batch: ${counted(left.length, 'node')}`),
          ...left.flatMap(({ node, why }) => hang(`  ${node}  `, why, columns)),
        ]),
    '',
    ...hang('Rules  ', rules.join('; '), columns).map(palette.faint),
  ]
}

function kindWords(capacity: BatchCapacity): string {
  switch (capacity.kind) {
    case 'fits':
      return 'fits'
    case 'does-not-fit':
      return `does not fit: ${capacity.instances.length} of ${capacity.moving}`
    case 'cannot-tell':
      return 'cannot tell'
    default:
      return assertNever(capacity, 'capacity')
  }
}

function capacityLines(capacity: BatchCapacity): readonly string[] {
  switch (capacity.kind) {
    case 'fits':
      return []
    case 'does-not-fit': {
      const more = capacity.instances.length - NAMED
      return [
        ...capacity.instances.slice(0, NAMED).map(({ name, id, host, why }) => `${name} (${id}) on ${host}: ${why}`),
        ...(more > 0 ? [`and ${counted(more, 'more instance', 'more instances')}; -o json lists all`] : []),
      ]
    }
    case 'cannot-tell':
      return [`cannot tell whether its instances fit: ${capacity.why}`]
    default:
      return assertNever(capacity, 'capacity')
  }
}

function paintOf({ kind }: BatchCapacity, { palette }: Look): Paint {
  return kind === 'fits' ? palette.good : kind === 'does-not-fit' ? palette.bad : palette.warn
}
