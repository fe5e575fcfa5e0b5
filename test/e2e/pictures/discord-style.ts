export const STYLE = `
  :root { --bg: #313338; --text: #dbdee1; --faint: #949ba4; --head: #f2f3f5; --box: #2b2d31; --line: #1e1f22; --button: #4e5058; --alone: #3b3d4c; --accent: #c9cdfb; --mention: #414675; --link: #00a8fc }
  :root.light { --bg: #fff; --text: #313338; --faint: #5c5e66; --head: #060607; --box: #f2f3f5; --line: #e3e5e8; --button: #6d6f78; --alone: #f2f3fd; --accent: #505cdc; --mention: #dee0fc; --link: #006ce7 }
  .top:first-child { margin-top: 0 }
  body { margin: 0; padding: 0 0 16px; background: var(--bg); color: var(--text); font: 15px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Arial, sans-serif; width: 760px }
  .top { border-bottom: 1px solid var(--line); padding: 11px 20px; margin-top: 8px; color: var(--head); font-weight: 600 } .top span { color: var(--faint); margin-right: 6px }
  .post { padding: 16px 20px 2px } .post h2 { color: var(--head); font-size: 21px; margin: 0 0 8px } .tags { display: flex; gap: 6px } .tags span { background: var(--box); border: 1px solid var(--line); border-radius: 12px; padding: 2px 10px; font-size: 12.5px; font-weight: 500 }
  .message { display: grid; grid-template-columns: 40px 1fr; gap: 0 16px; padding: 6px 20px; margin-top: 10px }
  .alone { background: var(--alone); box-shadow: inset 2px 0 #5865f2 }
  .reply { grid-column: 2; color: var(--faint); font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; margin-bottom: 2px } .reply b { font-weight: 600 }
  .face { width: 40px; height: 40px; border-radius: 50%; background: #5865f2; color: #fff; display: grid; place-items: center; font-weight: 600; grid-row: span 2 }
  .person { background: #23a55a } .who { color: var(--head); font-weight: 600 }
  .app { background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; padding: 1px 5px; border-radius: 3px; margin-left: 5px; vertical-align: 1px }
  .time { color: var(--faint); font-size: 12px; margin-left: 7px }
  small { display: block; color: var(--faint); font-size: 12.5px } h3 { margin: 6px 0 2px; color: var(--head); font-size: 17px }
  .item { padding-left: 18px; position: relative } .item::before { content: "•"; position: absolute; left: 5px }
  pre, .file { background: var(--box); border: 1px solid var(--line); border-radius: 4px; padding: 8px 10px; margin: 6px 0; font: 13px/1.35 "DejaVu Sans Mono", monospace; white-space: pre }
  code { background: var(--box); border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font: 13px "DejaVu Sans Mono", monospace } .file { font-family: inherit; font-size: 14px; width: 300px }
  .voice { display: inline-flex; align-items: center; gap: 12px; background: var(--box); border: 1px solid var(--line); border-radius: 22px; padding: 6px 16px 6px 7px; margin: 4px 0; color: var(--faint); font-size: 13px } .play { background: #5865f2; border-radius: 50%; width: 30px; height: 30px; display: grid; place-items: center }
  blockquote { border-left: 4px solid var(--button); margin: 0; padding: 1px 0 1px 10px } a { color: var(--link) } .mention { color: var(--accent); background: var(--mention); border-radius: 3px; padding: 0 2px }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 7px } .buttons span { background: var(--button); color: #fff; border-radius: 3px; padding: 6px 15px; font-size: 13.5px; font-weight: 500 } .buttons .s1 { background: #5865f2 } .buttons .s4 { background: #da373c }
  .panel { border: 1px solid var(--line); border-left: 4px solid #5865f2; border-radius: 6px; background: var(--box); padding: 10px 14px; margin: 6px 0; max-width: 520px } .panel hr { border: 0; border-top: 1px solid var(--line); margin: 9px 0 } .panel pre { background: var(--bg) }
  .faint { color: var(--faint) } .menu { display: flex; justify-content: space-between; background: var(--bg); border: 1px solid var(--line); border-radius: 4px; padding: 8px 12px; margin: 5px 0 9px }
  .dialogs { display: flex; gap: 16px; padding: 20px 20px 4px; align-items: start } .dialog { flex: 1; border-radius: 8px; background: var(--box); border: 1px solid var(--line); padding: 4px 16px 14px } .dialog h3 { margin: 10px 0 12px }
  .dialog .box { display: flex; align-items: center; gap: 9px; padding: 5px 0 } .dialog .box:has(+ div:not(.box)) { margin-bottom: 12px } .dialog .box span { width: 16px; height: 16px; border: 1px solid var(--line); border-radius: 4px; background: var(--bg) }
  .dialog .field { background: var(--bg); border: 1px solid var(--line); border-radius: 4px; min-height: 66px; padding: 9px; margin: 5px 0 12px; white-space: pre-wrap } .dialog .buttons { justify-content: end } .dialog .buttons span:first-child { background: none; color: var(--text) }
  .foot { color: var(--faint); font-size: 12px; margin-top: 4px }
  .react { display: inline-flex; align-items: center; gap: 6px; background: var(--mention); border: 1px solid #5865f2; border-radius: 8px; padding: 2px 8px; margin-top: 5px; font-size: 13px; font-weight: 600; color: var(--accent) }
  .typing { margin: 14px 20px 4px } .choices { background: var(--box); border: 1px solid var(--line); border-radius: 6px 6px 0 0; padding: 8px } .choices b { font-size: 12.5px; color: var(--faint); padding: 4px 8px; display: block } .choices div { padding: 7px 10px; border-radius: 4px } .choices div:nth-child(2) { background: var(--alone) }
  .input { background: var(--box); border: 1px solid var(--line); border-top: 0; border-radius: 0 0 6px 6px; padding: 10px 12px } .input .option { background: var(--bg); border-radius: 3px; padding: 3px 7px; margin-left: 6px } .input .option b { color: var(--faint); font-weight: 600; margin-right: 6px }`
