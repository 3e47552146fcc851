import * as vscode from 'vscode';
import type { Problem, ProblemSource } from '../tools/problemSource';

/** What the editor shows in its Problems view, for files of this machine. */
export const editorProblems: ProblemSource = {
  all: () =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([uri, found]) => (uri.scheme === 'file' ? found.map((one) => problemOf(uri.fsPath, one)) : [])),
};

function problemOf(path: string, { range, severity, message, source }: vscode.Diagnostic): Problem {
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: SEVERITIES[severity],
    message,
    ...(source === undefined ? {} : { source }),
  };
}

const SEVERITIES: { readonly [Severity in vscode.DiagnosticSeverity]: Problem['severity'] } = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};
