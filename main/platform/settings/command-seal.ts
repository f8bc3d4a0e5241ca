import type { CommandWish } from '../../ports/commands.ts'
import { type Signer, signatureHolds } from './signature.ts'

/** Which installation a command was confirmed at: the machine, and the data directory as it really lies there. */
interface SealedPlace {
  readonly machine: string
  readonly machineId: string | null
  readonly dataDirectory: string
}

/** What the seal of a command is over: all of it, with the run, and the node or the application that it is for. */
type Sealed = Omit<CommandWish, 'seal' | 'name'>

/** Binds a command to the installation that confirmed it, and tells whether it was bound so. */
interface CommandSeal {
  seal(wish: Sealed): string
  holds(wish: CommandWish): boolean
}

/**
 * Seals commands by the key of this installation. A seal holds for one run and one node or application, at this installation, on this machine, where its data directory lies: what a journal
 * brings along from elsewhere has none that holds. Null signer: nothing is sealed, and no seal holds.
 */
export function createCommandSeal(signer: Signer | null, place: SealedPlace): CommandSeal {
  const textOf = ({ runId, cluster, node, application, command, directory }: Sealed) => {
    const { machine, machineId, dataDirectory } = place
    const sealed = [runId, cluster, node, command, directory, machine, machineId, dataDirectory]
    return application === undefined
      ? `lockkeeper-command/1\n${JSON.stringify(sealed)}\n`
      : `lockkeeper-application-command/1\n${JSON.stringify([...sealed, application])}\n`
  }
  return {
    seal: wish => signer?.sign(textOf(wish)) ?? '',
    holds: wish => signer !== null && signatureHolds(signer.publicKey, textOf(wish), wish.seal),
  }
}
