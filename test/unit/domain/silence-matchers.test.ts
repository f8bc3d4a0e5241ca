import { describe, expect, test } from 'vitest'
import { DEFAULT_INSTANCE_MATCHERS, DEFAULT_NODE_MATCHERS } from '../../../shared/domain/signals.ts'
import { matcherText, readMatchers, silencesOf, whyNoTemplate } from '../../../shared/domain/silence-matchers.ts'

const DEFAULTS = { nodeMatchers: DEFAULT_NODE_MATCHERS, instanceMatchers: DEFAULT_INSTANCE_MATCHERS }
const texts = (templates: Parameters<typeof silencesOf>[0], what: Parameters<typeof silencesOf>[1]) =>
  silencesOf(templates, what).map(matcherText)

describe('silences by templates', () => {
  test('the usual ones are of the node with any port, the node, and the instances by id', () => {
    const instances = [
      { id: 'b-2', name: 'db' },
      { id: 'a-1', name: 'web.1' },
    ]
    expect(texts(DEFAULTS, { node: 'cmp-1.example', instances })).toEqual([
      '{instance=~"^cmp-1\\\\.example(:[0-9]+)?$"}',
      '{node="cmp-1.example"}',
      '{instance_id=~"(?:a-1|b-2)"}',
    ])
  })

  test('one instance stays an equality, none makes no silence', () => {
    expect(texts(DEFAULTS, { node: 'n', instances: [{ id: 'a.1', name: 'x' }] }).at(-1)).toBe('{instance_id="a.1"}')
    expect(texts(DEFAULTS, { node: 'n', instances: [] })).toHaveLength(2)
  })

  test('the text around a name stays, literally where the template was not a regular expression', () => {
    const templates = { nodeMatchers: ['host="NODE", job="a.b"'], instanceMatchers: ['dom="vm.INSTANCE_NAME"'] }
    const instances = [
      { id: '1', name: 'a+b' },
      { id: '2', name: 'c' },
    ]
    expect(texts(templates, { node: 'n"1', instances })).toEqual([
      '{host="n\\"1", job="a.b"}',
      '{dom=~"vm\\\\.(?:a\\\\+b|c)"}',
    ])
  })

  test('many instances make several silences', () => {
    const instances = Array.from({ length: 250 }, (_, at) => ({ id: `id-${at}`, name: `vm-${at}` }))
    expect(texts(DEFAULTS, { node: 'n', instances })).toHaveLength(5)
  })
})

describe('a template', () => {
  test.each(['{a="NODE"}', 'a=~"NODE(:[0-9]+)?"', 'a="NODE",b!="x",c!~"y.*"', 'a="x\\"NODE"'])('%s is one', text => {
    expect(whyNoTemplate(text, 'node')).toBeNull()
  })

  test.each([
    ['', 'NoMatchers'],
    ['a=NODE', 'NoMatchers'],
    ['a="x"', 'NameMissing'],
    ['a!="NODE"', 'NameExcluded'],
    ['a=~"NODE.*"', 'MatchesOthers'],
    ['a=~"NODE|.*"', 'MatchesOthers'],
    ['a=~"NODE[1-9]?"', 'MatchesOthers'],
    ['a=~"NODE7?"', 'MatchesOthers'],
    ['a=~"NODE[a-f]?"', 'MatchesOthers'],
    ['a=~"[0-9]?NODE"', 'MatchesOthers'],
    ['a=~".*NODE"', 'MatchesOthers'],
    ['a=~"NODE("', 'NoRegularExpression'],
  ])('%s is refused: %s', (text, code) => {
    expect(whyNoTemplate(text, 'node')).toMatchObject({ code, template: text })
  })

  test('of instances has to name them', () => {
    expect(whyNoTemplate('a="NODE"', 'instance')).toMatchObject({ names: ['INSTANCE_NAME', 'INSTANCE_ID'] })
    expect(whyNoTemplate('a="INSTANCE_ID", node="NODE"', 'instance')).toBeNull()
  })

  test('is read with its quotes', () => {
    expect(readMatchers('{a="x\\\\y\\"z"}')).toEqual([{ name: 'a', value: 'x\\y"z', isRegex: false, isEqual: true }])
  })
})
