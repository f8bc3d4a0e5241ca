import { placeOf, usePlace } from '../stores/place.ts'

/** Follows the address of the page; answers how to stop. */
export function followAddress(): () => void {
  const follow = () => usePlace.setState({ place: placeOf(window.location.hash) })
  follow()
  window.addEventListener('hashchange', follow)
  return () => window.removeEventListener('hashchange', follow)
}
