import './ui/pieces.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { must } from '../shared/domain/must.ts'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { Shell } from './app/shell.tsx'
import '@blueprintjs/core/lib/css/blueprint.css'
import '@blueprintjs/select/lib/css/blueprint-select.css'
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './app/tokens.css'
import './app/theme.css'

createRoot(must(document.getElementById('root'), 'index.html has an element with the id root')).render(
  <StrictMode>
    <ErrorBoundary>
      <Shell />
    </ErrorBoundary>
  </StrictMode>,
)
