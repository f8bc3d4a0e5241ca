import {
  type AriaAttributes,
  createElement,
  type FC,
  type HTMLAttributes,
  type ReactElement,
  type RefAttributes,
} from 'react'
import { type IconName, PATHS } from './paths.ts'

/* This folder is installed as @blueprintjs/icons (docs/decisions/0008). It has the icons of our screens and those that
   Blueprint's core and select import, in the markup of the package that it replaces. */

export type { IconName }

/** The two grids that icons are drawn on, in pixels. */
export const IconSize = { STANDARD: 16, LARGE: 20 } as const
export type IconSize = (typeof IconSize)[keyof typeof IconSize]

/** The properties of an icon. Without a title it is decoration, and screen readers skip it. */
export type SVGIconProps<T extends Element = Element> = RefAttributes<T> &
  AriaAttributes &
  Pick<HTMLAttributes<T>, 'id' | 'onClick' | 'role' | 'style' | 'tabIndex'> & {
    className?: string | undefined
    color?: string | undefined
    /** The hint that a browser shows over the icon. */
    htmlTitle?: string | undefined
    /** Width and height in pixels; 16 by default. */
    size?: number | undefined
    svgProps?: HTMLAttributes<SVGElement> | undefined
    /** The element around the drawing; a span by default. */
    tagName?: keyof React.JSX.IntrinsicElements | undefined
    title?: string | false | null | undefined
  }

/** The name of these properties in Blueprint's own types. */
export type DefaultSVGIconProps = SVGIconProps

export function SVGIconContainer(
  props: SVGIconProps & { iconName: IconName; children: readonly ReactElement[] },
): ReactElement {
  const {
    children,
    className,
    color,
    htmlTitle,
    iconName,
    size = 16,
    svgProps,
    tagName = 'span',
    title,
    ...rest
  } = props
  const grid = gridOf(size)
  const drawn = {
    'data-icon': iconName,
    fill: color,
    height: size,
    role: 'img',
    viewBox: `0 0 ${grid} ${grid}`,
    width: size,
    ...svgProps,
  }
  const heading = title ? createElement('title', { key: 'title' }, title) : null
  const around = {
    'aria-hidden': title ? undefined : true,
    ...rest,
    className: ['bp6-icon', `bp6-icon-${iconName}`, className].filter(Boolean).join(' '),
    title: htmlTitle,
  }
  return createElement(tagName, around, createElement('svg', drawn, heading, children))
}

/** Where Blueprint looks up an icon by name. All come with the page. */
export const Icons = {
  getPaths: (name: IconName, size: number): readonly string[] => PATHS[name][gridOf(size)],
  load: (): Promise<void> => Promise.resolve(),
}

/** The one icon that Blueprint's own code takes by name. */
export const IconNames = { SQUARE: 'square' } as const satisfies Record<string, IconName>

// Blueprint's second set of icons, which our screens do not use: the first set answers for it.
export { Icons as IconsNext, SVGIconContainer as SvgIconContainerNext }
export type IconNextName = IconName
export type NextIconVariant = 'outlined' | 'filled'

function gridOf(size: number): IconSize {
  return size >= IconSize.LARGE ? IconSize.LARGE : IconSize.STANDARD
}

function icon(name: IconName): FC<SVGIconProps> {
  const Icon: FC<SVGIconProps> = props => {
    const paths = Icons.getPaths(name, props.size ?? IconSize.STANDARD)
    const children = paths.map(d => createElement('path', { key: d, d, fillRule: 'evenodd' }))
    return createElement(SVGIconContainer, { iconName: name, ...props, children })
  }
  // Blueprint's core recognizes an icon by the beginning of this name.
  Icon.displayName = `Blueprint6.Icon.${name}`
  return Icon
}

export const ArrowDownIcon = icon('arrow-down')
export const ArrowLeftIcon = icon('arrow-left')
export const ArrowRightIcon = icon('arrow-right')
export const ArrowUpIcon = icon('arrow-up')
export const CalendarIcon = icon('calendar')
export const CaretDownIcon = icon('caret-down')
export const CaretRightIcon = icon('caret-right')
export const CaretUpIcon = icon('caret-up')
export const ChevronDownIcon = icon('chevron-down')
export const ChevronRightIcon = icon('chevron-right')
export const ChevronUpIcon = icon('chevron-up')
export const CloudIcon = icon('cloud')
export const CogIcon = icon('cog')
export const CrossIcon = icon('cross')
export const CubeIcon = icon('cube')
export const DisableIcon = icon('disable')
export const DocumentIcon = icon('document')
export const DoubleCaretVerticalIcon = icon('double-caret-vertical')
export const DuplicateIcon = icon('duplicate')
export const ErrorIcon = icon('error')
export const FilterIcon = icon('filter')
export const GridViewIcon = icon('grid-view')
export const HandUpIcon = icon('hand-up')
export const HelpIcon = icon('help')
export const HistoryIcon = icon('history')
export const HomeIcon = icon('home')
export const InfoSignIcon = icon('info-sign')
export const KeyCommandIcon = icon('key-command')
export const KeyControlIcon = icon('key-control')
export const KeyDeleteIcon = icon('key-delete')
export const KeyEnterIcon = icon('key-enter')
export const KeyOptionIcon = icon('key-option')
export const KeyShiftIcon = icon('key-shift')
export const LogInIcon = icon('log-in')
export const LogOutIcon = icon('log-out')
export const NotificationsIcon = icon('notifications')
export const PanelStatsIcon = icon('panel-stats')
export const PauseIcon = icon('pause')
export const PlayIcon = icon('play')
export const PlusIcon = icon('plus')
export const RefreshIcon = icon('refresh')
export const SearchIcon = icon('search')
export const SettingsIcon = icon('settings')
export const SmallCrossIcon = icon('small-cross')
export const SmallTickIcon = icon('small-tick')
export const TickIcon = icon('tick')
export const TwoColumnsIcon = icon('two-columns')
export const UndoIcon = icon('undo')
export const WarningSignIcon = icon('warning-sign')
export const ZoomInIcon = icon('zoom-in')
export const ZoomOutIcon = icon('zoom-out')
