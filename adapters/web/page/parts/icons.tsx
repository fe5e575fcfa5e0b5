import type { VNode } from 'preact'

const PATHS = {
  bridge: 'M2.5 17h19M5 17c0-5.2 3.1-9 7-9s7 3.8 7 9M8.5 17v-6.6M12 17V8M15.5 17v-6.6',
  chat: 'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-8l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  file: 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5',
  attach: 'M20 11.5l-8.1 8.1a5 5 0 0 1-7.1-7.1l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.8 1.8 0 0 1-2.5-2.5l7.6-7.6',
  microphone: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  mention: 'M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zm0 0v1.3a2.6 2.6 0 0 0 5.2 0V12a8.7 8.7 0 1 0-3.6 7',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 8v5M12 16.3v.2M10.3 4.2L2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z',
  notice: 'M12 11v5M12 7.8v.2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  reply: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  edit: 'M4 20l4.2-1 10.6-10.6a2.1 2.1 0 0 0-3-3L5.2 16zM14 7l3 3',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7',
  previous: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  pin: 'M9 4h6l-.8 5.2 3.3 3.3v1.5h-11v-1.5l3.3-3.3zM12 14v6',
  search: 'M16 16l4.5 4.5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  files: 'M8 4h7l4 4v9H8zM15 4v4h4M5 8v12h10',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  again: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4.5H15',
  up: 'M7.5 11v9H4v-9zM7.5 11l4-8a2.5 2.5 0 0 1 2.4 3.2L13 9.5h5.3a2 2 0 0 1 1.9 2.5l-1.7 6.5a2 2 0 0 1-1.9 1.5H7.5',
  down: 'M16.5 13V4H20v9zM16.5 13l-4 8a2.5 2.5 0 0 1-2.4-3.2l.9-3.3H5.7a2 2 0 0 1-1.9-2.5l1.7-6.5A2 2 0 0 1 7.4 4h9.1',
  shorter: 'M5 8h14M5 13h7',
  longer: 'M5 6h14M5 11h14M5 16h9',
  speak: 'M4 10v4h3.5L12 18V6L7.5 10zM15.5 9.5a4 4 0 0 1 0 5M18 7a7.5 7.5 0 0 1 0 10',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5h4v-5zM7 14.5v5h4v-5z',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM5 20a7 7 0 0 1 14 0',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v10H5z',
}

export type IconName = keyof typeof PATHS

/** A decorative icon: its button or neighbour has the label. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
