import { afterAll, beforeAll, describe } from 'vitest'
import { type SmallNova, startSmallNova } from '../fixtures/small-nova.ts'
import { type HintsTarget, hintsContract } from './hints-contract.ts'

describe.each(['2.93', '2.99', '2.100', '2.104'])('the embedded Nova %s keeps the contract of hints', newest => {
  let nova: SmallNova
  let target: HintsTarget
  beforeAll(async () => {
    nova = await startSmallNova(newest)
    target = { ...(await nova.connect('small')), movableServer: 'active', hintedServer: 'theirs' }
  })
  afterAll(() => nova.close())

  hintsContract(() => target)
})
