throw new Error('The target squirrel is left out: electron-builder.yml builds nsis (packaging/no-squirrel).')
