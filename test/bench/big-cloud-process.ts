import { changeAnnotation, keepChanging, startBigCloud } from './big-cloud.ts'

/** A big cloud in a separate process, so that what it costs is not counted as the console's: `NODES INSTANCES FOLDER`, then orders by messages. */
export type Order =
  | { readonly do: 'change'; readonly perSecond: number; readonly flights: number }
  | { readonly do: 'rest' }
  | { readonly do: 'annotate'; readonly node: string; readonly key: string; readonly value: string }
  /** Answers with the times at which pages of the list of all instances were read. */
  | { readonly do: 'pages' }
  | { readonly do: 'end' }

const [nodes, instances, folder = ''] = process.argv.slice(2)
const cloud = await startBigCloud({ nodes: Number(nodes), instances: Number(instances) }, folder)
let rest = () => {}

process.on('message', (order: Order) => {
  switch (order.do) {
    case 'change':
      rest = keepChanging(cloud, order.perSecond, order.flights)
      break
    case 'rest':
      rest()
      break
    case 'annotate':
      changeAnnotation(cloud, order.node, order.key, order.value)
      break
    case 'pages':
      process.send?.(
        cloud.openstack.log
          .filter(({ path }) => /servers\/detail\?/.test(path) && !/(changes-since|host)=/.test(path))
          .map(({ at }) => Date.parse(at)),
      )
      break
    case 'end':
      rest()
      void cloud.stop().then(() => process.exit(0))
  }
})
process.send?.(cloud.cluster)
