import { Classes } from '@blueprintjs/core'
import { useEffect } from 'react'
import { usePreferences } from '../stores/preferences.ts'

const DARK = '(prefers-color-scheme: dark)'

/** Draws the page light or dark, as the operator or the system wishes; Blueprint is told by a class on the body. */
export function useTheme(): void {
  const theme = usePreferences(store => store.preferences.theme)
  useEffect(() => {
    const system = window.matchMedia(DARK)
    const draw = () => {
      const dark = theme === 'dark' || (theme === 'system' && system.matches)
      document.documentElement.dataset.theme = dark ? 'dark' : 'light'
      document.body.classList.toggle(Classes.DARK, dark)
    }
    draw()
    system.addEventListener('change', draw)
    return () => system.removeEventListener('change', draw)
  }, [theme])
}
