import type { DemoTrouble, Trouble } from '../domain/demo-troubles.ts'

export const TROUBLE_TITLES: Readonly<Record<Trouble, string>> = {
  stuck: 'A move never ends',
  fails: 'A move fails each time',
  'silent-owner': 'An owner does not answer',
  'silent-node': 'A node goes silent',
  html: 'Nova answers with a web page',
  lost: 'Kubernetes refuses connections',
  ceph: 'Ceph is degraded',
  full: 'No room on other nodes',
  budget: 'A budget allows no eviction',
}

const SENTENCES: Readonly<Record<Trouble, (trouble: DemoTrouble) => string>> = {
  stuck: ({ object }) => `${object} writes memory as fast as the network copies it.`,
  fails: ({ object }) => `Nova fails every live move of ${object}.`,
  'silent-owner': ({ object }) => `Only its owner may move ${object}, and does not answer.`,
  'silent-node': ({ object }) => `${object} stops reporting to Kubernetes and to Nova.`,
  html: ({ cloud }) => `A login page answers in place of Nova of ${cloud}.`,
  lost: ({ cloud }) => `The API of ${cloud} cuts every connection.`,
  ceph: ({ object }) => `The disks of ${object} are down, so Ceph can spare no others.`,
  full: ({ cloud }) => `Every compute node of ${cloud} has its memory full.`,
  budget: ({ object }) => `A budget keeps every pod of ${object} where it is.`,
}

export function troubleSentence(trouble: DemoTrouble): string {
  return SENTENCES[trouble.name](trouble)
}

/** What to do to meet it; a silent node is not taken out, but rescued. */
export function troubleTry({ name, node }: DemoTrouble): string | null {
  if (node === null) return null
  return name === 'silent-node' ? `Rescue ${node}` : `Take ${node} out`
}

export function historyWords({ played, of }: { readonly played: number; readonly of: number }): string {
  return `Preparing history: ${played} of ${of} runs`
}
