import type { Envelope, RequestInput, RequestOutput } from '../../../shared/contract/index.ts'
import type { CommandContext } from './command.ts'

/** Makes and checks a plan. Prints immediately what the checks watch, because watching takes half a minute. */
export async function askForPlan(
  wish: RequestInput<'plan.make'>,
  { contract, printer }: Pick<CommandContext, 'contract' | 'printer'>,
): Promise<Envelope<RequestOutput<'plan.make'>>> {
  const stop = contract.listen('plan.watches', ({ cluster, node, words }) => {
    if (cluster === wish.cluster && node === wish.node) printer.warn(words)
  })
  try {
    return await contract.ask('plan.make', wish)
  } finally {
    stop()
  }
}
