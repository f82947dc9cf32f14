// A kubelet of which there is only what serves exec, attach and port-forward, with Kubernetes' own streaming servers.
// Commands run on this machine, whatever the pod. Prints its port once it listens.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"time"

	"k8s.io/apimachinery/pkg/util/proxy"
	translator "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/streaming/pkg/httpstream/wsstream"
	utilexec "k8s.io/utils/exec"
)

const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

func main() {
	cert := flag.String("cert", "", "certificate file")
	key := flag.String("key", "", "key file")
	translate := flag.Bool("translate", false, "speak the newest WebSocket protocols, as kubelets do since 1.36")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	handler := runtimeHandler()
	if *translate {
		handler = translating(handler)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.ServeTLS(listener, handler, *cert, *key))
}

// runtimeHandler is what a container runtime serves.
func runtimeHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", func(w http.ResponseWriter, req *http.Request) {
		options, err := remotecommand.NewOptions(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		remotecommand.ServeExec(w, req, host{}, req.PathValue("pod"), "", req.PathValue("container"), req.Form["command"],
			options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
	})
	mux.HandleFunc("/attach/{namespace}/{pod}/{container}", func(w http.ResponseWriter, req *http.Request) {
		options, err := remotecommand.NewOptions(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		remotecommand.ServeAttach(w, req, host{}, req.PathValue("pod"), "", req.PathValue("container"),
			options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
	})
	mux.HandleFunc("/portForward/{namespace}/{pod}", func(w http.ResponseWriter, req *http.Request) {
		options, err := portforward.NewV4Options(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, req, host{}, req.PathValue("pod"), "", options, idleTimeout, creationTimeout,
			portforward.SupportedProtocols)
	})
	return mux
}

// translating is how a kubelet since 1.36 stands in front of the runtime.
func translating(runtime http.Handler) http.Handler {
	behind := httptest.NewServer(runtime)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		location, err := url.Parse(behind.URL + req.URL.String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var handler http.Handler = proxy.NewUpgradeAwareHandler(location, nil, false, true, responder{})
		switch {
		case wsstream.IsWebSocketRequestWithStreamCloseProtocol(req):
			options, err := remotecommand.NewOptions(req)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			handler = translator.NewStreamTranslatorHandler(location, nil, 0, translator.Options{
				Stdin: options.Stdin, Stdout: options.Stdout, Stderr: options.Stderr, Tty: options.TTY,
			})
		case wsstream.IsWebSocketRequestWithTunnelingProtocol(req):
			handler = translator.NewTunnelingHandler(handler)
		}
		handler.ServeHTTP(w, req)
	})
}

type responder struct{}

func (responder) Error(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// host runs what containers would.
type host struct{}

func (host) ExecInContainer(ctx context.Context, _, _, _ string, command []string, in io.Reader, out, stderr io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if tty {
		return tellSize(out, resize)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = out, stderr
	if in != nil {
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		// Wait would wait for a client that has nothing to say.
		go func() {
			io.Copy(stdin, in)
			stdin.Close()
		}()
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

func (host) AttachContainer(_ context.Context, _, _, _ string, in io.Reader, out, _ io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	if tty {
		return tellSize(out, resize)
	}
	fmt.Fprintln(out, "attached")
	if in == nil {
		return nil
	}
	_, err := io.Copy(out, in)
	return err
}

// tellSize writes the size of the client's terminal.
func tellSize(out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	size, ok := <-resize
	if !ok {
		return errors.New("there is no terminal")
	}
	_, err := fmt.Fprintf(out, "%d rows, %d columns\n", size.Height, size.Width)
	return err
}

func (host) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		io.Copy(conn, stream)
		conn.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, conn)
	return err
}
