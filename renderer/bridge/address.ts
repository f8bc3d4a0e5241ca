import { routeOf, useRoute } from '../stores/route.ts'

/** Follows the address of the page; answers how to stop. */
export function followAddress(): () => void {
  const follow = () => useRoute.setState({ place: routeOf(window.location.hash) })
  follow()
  window.addEventListener('hashchange', follow)
  return () => window.removeEventListener('hashchange', follow)
}
