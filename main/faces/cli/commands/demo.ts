import { SITUATIONS, situationIn } from '../../../../shared/domain/demo-situations.ts'
import type { Command } from '../command.ts'
import { renderDemoCluster, renderTrouble } from '../render/render-demo.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { troublesAsked } from '../troubles-asked.ts'

/** `demo`: runs the demo clouds until Ctrl-C, for kubectl and openstack. */
export const keepDemo: Command = async context => {
  const { args, printer, io, interruptions, atEnd } = context
  const asked = args.texts('play')
  const odd = asked.find(text => situationIn(text) === null)
  if (odd !== undefined) {
    return reportUsage(
      context,
      `--play takes a situation and a compute node of demo-plain (cmp-01 to cmp-08), such as renamed-compute=cmp-02, not ${odd}. Situations: ${SITUATIONS.join(', ')}.`,
    )
  }
  const play = asked.flatMap(text => situationIn(text) ?? [])
  const troubles = troublesAsked(args)
  if (!troubles.ok) return reportUsage(context, troubles.failure.message)
  const folder = await io.temporaryFolder()
  atEnd(folder.remove)
  const started = await io.startDemoClouds(folder.path, {
    tungstenFabric: args.isSet('tungsten-fabric'),
    update: args.isSet('update'),
    masakari: args.isSet('masakari'),
    jujuInCluster: args.isSet('juju-in-cluster'),
    computeOnly: args.isSet('compute-only'),
    storageOnly: args.isSet('storage-only'),
    play,
    troubles: troubles.value,
    release: args.text('kubernetes') === '1.20' ? '1.20' : '1.36',
  })
  if (!started.ok) return reportFailure(context, started.failure)
  const clouds = started.value
  atEnd(clouds.stop)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  interruptions.handle(() => stop())
  if (printer.json) printer.value({ clusters: clouds.clusters })
  for (const cluster of clouds.clusters) printer.say(...renderDemoCluster(cluster, printer.look), '')
  for (const trouble of clouds.troubles.list()) {
    if (trouble.on) printer.say(...renderTrouble(trouble, printer.look))
  }
  for (const { situation, node } of play) printer.say(`${node} of demo-plain plays ${situation}.`)
  printer.say('The demo clouds run until Ctrl-C. Nothing outside this process changes.')
  await stopped
  printer.say('', 'The demo clouds stopped.')
  return 0
}
