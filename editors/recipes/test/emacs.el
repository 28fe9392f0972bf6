;;; emacs.el --- Tests the README's configuration in emacs --batch -*- lexical-binding: t -*-
(when (< emacs-major-version 29) ; -Q leaves out the folders of Debian's packages
  (require 'package)
  (setq package-directory-list '("/usr/share/emacs/site-lisp/elpa" "/usr/share/emacs/28.2/site-lisp/elpa"))
  (package-initialize))
(require 'cl-lib)
(require 'flymake)
(require 'jsonrpc)
(setq jsonrpc-default-request-timeout 120 eglot-sync-connect 120 eglot-autoshutdown t make-backup-files nil create-lockfiles nil
      eglot-confirm-server-initiated-edits nil eglot-confirm-server-edits nil)
(load (getenv "RECIPE") nil t)
(remove-hook 'rubric-eval-mode-hook #'eglot-ensure) ; it waits for an idle moment, which batch has not

(defvar passed 0)
(defvar failed 0)
(defmacro check (name &rest body)
  `(condition-case fault
       (progn ,@body (setq passed (1+ passed)) (message "ok - %s" ,name))
     (error (setq failed (1+ failed)) (message "not ok - %s: %S" ,name fault))))

(defun soon (what probe)
  "Wait until PROBE returns non-nil. WHAT describes it."
  (let ((end (+ (float-time) 120)) found)
    (while (not (setq found (funcall probe)))
      (when (> (float-time) end) (error "waited in vain for %s" what))
      (accept-process-output nil 0.02))
    found))

(defun finding ()
  (flymake-start)
  (accept-process-output nil 0.02)
  (seq-find (lambda (d) (string-match-p "weigth" (flymake-diagnostic-text d))) (flymake-diagnostics)))

(find-file (getenv "EVAL"))
(check "an eval file has the mode" (cl-assert (eq major-mode 'rubric-eval-mode)))
(check "eglot connects"
  (apply #'eglot (eglot--guess-contact))
  (soon "the connection" #'eglot-managed-p))
(check "the misspelt key is told with its span"
  (let ((d (soon "the finding" #'finding)))
    (cl-assert (equal (buffer-substring (flymake-diagnostic-beg d) (flymake-diagnostic-end d)) "weigth"))))
(check "hover"
  (goto-char (point-min))
  (search-forward "expected_outcome")
  (let (said)
    (eglot-hover-eldoc-function (lambda (s &rest _) (setq said s)))
    (soon "eldoc" (lambda () said))
    (cl-assert (string-match-p "expected_outcome" said))))
(check "the fix changes the text"
  (goto-char (point-min))
  (search-forward "weigth")
  (let* ((actions (eglot-code-actions (- (point) 3) (- (point) 2) "quickfix"))
         (fix (seq-find (lambda (a) (string-match-p "weight" (plist-get a :title))) actions)))
    (cl-assert fix)
    (eglot--apply-workspace-edit (plist-get fix :edit) (if (> emacs-major-version 28) this-command nil)))
  (cl-assert (string-match-p "  weight: 3$" (buffer-string)))
  (eglot--signal-textDocument/didChange) ; an idle timer's work
  (soon "no finding" (lambda () (not (finding)))))
(check "the file is run"
  (cl-assert (plist-get (rubric-run-file) :job))
  (soon "the verdict"
        (lambda ()
          (seq-find (lambda (lens) (string-match-p "^pass" (plist-get (plist-get lens :command) :title)))
                    (jsonrpc-request (eglot-current-server) :textDocument/codeLens
                                     (list :textDocument (eglot--TextDocumentIdentifier)))))))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server) nil 120)
(message "emacs %s: %d passed, %d failed" emacs-version passed failed)
(kill-emacs (if (= failed 0) 0 1))
