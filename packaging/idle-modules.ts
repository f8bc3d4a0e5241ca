/**
 * What a bundle leaves out of @kubernetes/client-node: modules of which nothing is used. The package does not say that loading them does nothing but
 * declare, and without its models and watches its KubeConfig loads in two thirds of the processor time (docs/decisions/0002).
 */
export const WITHOUT_IDLE_MODULES = {
  moduleSideEffects: [{ test: /@kubernetes\/client-node\/dist\/(?!polyfill)/, sideEffects: false }],
}
