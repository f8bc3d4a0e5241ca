import { z } from 'zod'

/** Troubles that the demo can make on its clouds, each switched on and off while it runs. */
export const Trouble = z.enum([
  /** A live migration that copies memory without end. */
  'stuck',
  'fails',
  /** An instance whose owner has to act, and does not. */
  'silent-owner',
  'silent-node',
  /** A login page in the place of Nova's answers. */
  'html',
  /** The API server of Kubernetes cuts every connection. */
  'lost',
  'ceph',
  'full',
  'budget',
])
export type Trouble = z.infer<typeof Trouble>

export const TROUBLES: readonly Trouble[] = Trouble.options

/** A trouble with the cloud and the object that it concerns. */
export const DemoTrouble = z.strictObject({
  name: Trouble,
  on: z.boolean(),
  cloud: z.string(),
  /** The node to take out of service to meet it, as the cloud is now; null if its instance is on no node. */
  node: z.string().nullable(),
  /** The instance, node, budget or service in trouble. */
  object: z.string(),
})
export type DemoTrouble = z.infer<typeof DemoTrouble>
